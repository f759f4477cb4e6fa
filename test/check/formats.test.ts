import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { formatGithub } from '../../src/check/formats/github.ts';
import { toJson } from '../../src/check/formats/json.ts';
import { summarise } from '../../src/check/formats/report.ts';
import { toSarif } from '../../src/check/formats/sarif.ts';
import type { Finding } from '../../src/check/rule.ts';
import { RULES } from '../../src/check/rules.ts';

const ERROR: Finding = {
  rule: 'invalid-date',
  level: 'error',
  line: 7,
  message: '100%, a: b\r\n::error::x.',
};
const NOTE: Finding = { rule: 'undefined-link', level: 'note', line: 9, column: 3, message: 'Ünicode.' };
const REPORT = { file: 'docs/a b,c:d%.md', findings: [ERROR, NOTE], versions: 1_200 };

describe('github', () => {
  it('what would end a property or a command is escaped', () => {
    assert.deepEqual(formatGithub(REPORT), [
      '::error file=docs/a b%2Cc%3Ad%25.md,line=7,title=invalid-date::100%25, a: b%0D%0A::error::x.',
      '::notice file=docs/a b%2Cc%3Ad%25.md,line=9,col=3,title=undefined-link::Ünicode.',
    ]);
  });
});

/** What we use of the schema of SARIF 2.1.0, with its names, types and limits. */
const object = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const list = (items: unknown) => ({ type: 'array', minItems: 0, items });
const MESSAGE = object({ text: { type: 'string' } }, 'text');
const LEVEL = { enum: ['none', 'note', 'warning', 'error'] };
const POSITIVE = { type: 'integer', minimum: 1 };
const SARIF = object(
  {
    $schema: { type: 'string', pattern: '^https://' },
    version: { const: '2.1.0' },
    runs: list(
      object(
        {
          tool: object(
            {
              driver: object(
                {
                  name: { type: 'string' },
                  version: { type: 'string' },
                  rules: {
                    ...list(
                      object(
                        {
                          id: { type: 'string' },
                          shortDescription: MESSAGE,
                          fullDescription: MESSAGE,
                          help: MESSAGE,
                          defaultConfiguration: object({ level: LEVEL }),
                        },
                        'id',
                      ),
                    ),
                    uniqueItems: true,
                  },
                },
                'name',
              ),
            },
            'driver',
          ),
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: list(
            object(
              {
                ruleId: { type: 'string' },
                ruleIndex: { type: 'integer', minimum: 0 },
                level: LEVEL,
                message: MESSAGE,
                locations: list(
                  object({
                    physicalLocation: object(
                      {
                        artifactLocation: object({
                          // RFC 3986, and relative: no scheme, no slash at the beginning.
                          uri: {
                            type: 'string',
                            pattern: "^(?!/)(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$",
                          },
                          uriBaseId: { type: 'string' },
                        }),
                        region: object({ startLine: POSITIVE, startColumn: POSITIVE }, 'startLine'),
                      },
                      'artifactLocation',
                    ),
                  }),
                ),
              },
              'message',
            ),
          ),
        },
        'tool',
      ),
    ),
  },
  'version',
  'runs',
);

describe('sarif', () => {
  it('the document has the shape of SARIF 2.1.0, with all rules and relative URIs', () => {
    const isValid = new Ajv({ allErrors: true }).compile(SARIF);
    for (const findings of [[], REPORT.findings]) {
      const document = JSON.parse(JSON.stringify(toSarif({ ...REPORT, findings }, '1.0.0')));
      const [{ tool, results }] = document.runs;
      assert.ok(isValid(document), JSON.stringify(isValid.errors));
      assert.deepEqual(
        tool.driver.rules.map(({ id }: { id: string }) => id),
        RULES.map(({ id }) => id),
      );
      assert.equal(results.length, findings.length);
      for (const { ruleId, ruleIndex, locations } of results) {
        assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
        assert.equal(locations[0].physicalLocation.artifactLocation.uri, 'docs/a%20b%2Cc%3Ad%25.md');
      }
    }
  });
});

describe('json', () => {
  it('counts the findings, and leaves out a column that is not known', () => {
    assert.deepEqual(toJson(REPORT), {
      file: REPORT.file,
      versions: 1_200,
      errors: 1,
      notes: 1,
      findings: [
        { rule: 'invalid-date', level: 'error', line: 7, message: ERROR.message },
        { rule: 'undefined-link', level: 'note', line: 9, column: 3, message: NOTE.message },
      ],
    });
  });
});

describe('the summary', () => {
  it('says how many errors and notes there are', () => {
    const of = (...findings: Finding[]) => summarise({ ...REPORT, file: 'a.md', findings });
    assert.equal(of(), 'a.md: no problems in 1,200 versions');
    assert.equal(of(NOTE), 'a.md: no errors, 1 note');
    assert.equal(of(ERROR, ERROR, NOTE), 'a.md: 2 errors, 1 note');
  });
});
