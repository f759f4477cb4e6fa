// A team whose every authored text is a payload.
import { PAYLOADS } from '../../support/content/xss-payloads.ts';

const VERSIONS = 20;
const NAME_CHARACTERS_MAX = 200;
const LABEL_CHARACTERS_MAX = 128;
const NAMES = PAYLOADS.filter((text) => text.length <= NAME_CHARACTERS_MAX);
const LABELS = NAMES.filter(
  // biome-ignore lint/suspicious/noControlCharactersInRegex: labels have none
  (text) => text.length <= LABEL_CHARACTERS_MAX && text === text.trim() && !/[\x00-\x1f\x7f]/.test(text),
);

const at = (texts: readonly string[], index: number) => texts[index % texts.length] as string;

/** The hostile fields with their own format. */
const URL_TAIL = `/"onmouseover="alert(1)"><script>alert(1)</script>`;
const LOGOS = [
  `https://example.com${URL_TAIL}`,
  `https://example.com/'onerror='alert(1)`,
  `data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20onload='alert(1)'%3E%3Cscript%3Ealert(1)%3C/script%3E%3C/svg%3E`,
];

/** All payloads are changes of `acme/rocket`; its versions and the names of 20 more products have others. */
export function hostileDocument() {
  const versions = Array.from({ length: VERSIONS }, (_, number) => ({
    id: `ver_${number}`,
    version: number % 2 === 0 ? at(LABELS, number * 7) : `1.${number}.0`,
    title: at(PAYLOADS, number * 11 + 1).slice(0, 1000),
    status: 'published',
    publishedAt: new Date(Date.UTC(2020 + (number % 3), 0, 1 + number)).toISOString(),
    yanked: number % 5 === 0,
    description: at(PAYLOADS, number * 13 + 2),
    changes: PAYLOADS.filter((_, index) => index % VERSIONS === number).map((text, index) => ({
      type: ['added', 'fixed', 'security'][index % 3],
      text,
      breaking: index % 4 === 0,
    })),
  }));
  const links = { home: `https://example.com${URL_TAIL}`, base: `https://example.com/'"<base>/` };
  const product = {
    slug: 'rocket',
    name: at(NAMES, 3),
    status: 'published',
    links,
    logo: LOGOS[0],
    changelog: { name: at(NAMES, 5), status: 'published', versions },
  };
  const others = Array.from({ length: 20 }, (_, number) => ({
    slug: `p-${number}`,
    name: at(NAMES, number * 9),
    status: 'published',
    logo: LOGOS[number % LOGOS.length],
    changelog: {
      name: at(NAMES, number * 9 + 4),
      status: 'published',
      versions: [
        { version: at(LABELS, number * 5 + 1), title: at(PAYLOADS, number * 8), status: 'published' },
      ],
    },
  }));
  return {
    team: { slug: 'acme', name: at(NAMES, 17), visibility: 'public', plan: 'paid' },
    products: [product, ...others],
  };
}
