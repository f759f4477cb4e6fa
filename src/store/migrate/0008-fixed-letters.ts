import type { Step } from './step.ts';

/**
 * Earlier releases took the letters of `words_of` from the Unicode tables of the Node.js that ran step 0005. From this
 * step on they are those of Unicode 17 in every database. If they were others, all versions are indexed again.
 */
export const FIXED_LETTERS: Step = {
  name: '0008_fixed_letters',
  sqlite: [],
  postgres: [
    `do $do$
    declare
      letters text := '
        30-39 41-5a 61-7a b2-b3 b5 b9 bc-be c0-d6 d8-f6 f8-1ba 1bc-1bf 1c4-293 296-2c1 2c6-2d1 2e0-2e4 2ec 2ee
        370-374 376-377 37a-37d 37f 386 388-38a 38c 38e-3a1 3a3-3f5 3f7-481 48a-52f 531-556 559 560-588 640
        660-669 6e5-6e6 6f0-6f9 7c0-7c9 7f4-7f5 7fa 81a 824 828 8c9 966-96f 971 9e6-9ef 9f4-9f9 a66-a6f ae6-aef
        b66-b6f b72-b77 be6-bf2 c66-c6f c78-c7e ce6-cef d58-d5e d66-d78 de6-def e46 e50-e59 ec6 ed0-ed9 f20-f33
        1040-1049 1090-1099 1369-137c 16ee-16f0 17d7 17e0-17e9 17f0-17f9 1810-1819 1843 1946-194f 19d0-19da
        1a80-1a89 1a90-1a99 1aa7 1b50-1b59 1bb0-1bb9 1c40-1c49 1c50-1c59 1c78-1c7d 1c80-1c8a 1d00-1dbf 1e00-1f15
        1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fbc 1fbe 1fc2-1fc4
        1fc6-1fcc 1fd0-1fd3 1fd6-1fdb 1fe0-1fec 1ff2-1ff4 1ff6-1ffc 2070-2071 2074-2079 207f-2089 2090-209c 2102
        2107 210a-2113 2115 2119-211d 2124 2126 2128 212a-212d 212f-2134 2139 213c-213f 2145-2149 214e 2150-2189
        2460-249b 24ea-24ff 2776-2793 2c00-2ce4 2ceb-2cee 2cf2-2cf3 2cfd 2d00-2d25 2d27 2d2d 2d6f 2e2f 3007
        3021-3029 3038-303a 3192-3195 3220-3229 3248-324f 3251-325f 3280-3289 32b1-32bf a015 a4f8-a4fd a60c
        a620-a629 a640-a66d a67f-a69d a6e6-a6ef a717-a71f a722-a788 a78b-a78e a790-a7dc a7f1-a7f6 a7f8-a7fa
        a830-a835 a8d0-a8d9 a900-a909 a9cf-a9d9 a9e6 a9f0-a9f9 aa50-aa59 aa70 aadd aaf3-aaf4 ab30-ab5a ab5c-ab69
        ab70-abbf abf0-abf9 fb00-fb06 fb13-fb17 ff10-ff19 ff21-ff3a ff41-ff5a 10107-10133 10140-10178
        1018a-1018b 102e1-102fb 10320-10323 10341 1034a 103d1-103d5 10400-1044f 104a0-104a9 104b0-104d3
        104d8-104fb 10570-1057a 1057c-1058a 1058c-10592 10594-10595 10597-105a1 105a3-105b1 105b3-105b9
        105bb-105bc 10780-10785 10787-107b0 107b2-107ba 10858-1085f 10879-1087f 108a7-108af 108fb-108ff
        10916-1091b 109bc-109bd 109c0-109cf 109d2-109ff 10a40-10a48 10a7d-10a7e 10a9d-10a9f 10aeb-10aef
        10b58-10b5f 10b78-10b7f 10ba9-10baf 10c80-10cb2 10cc0-10cf2 10cfa-10cff 10d30-10d39 10d40-10d49 10d4e
        10d50-10d65 10d6f-10d85 10e60-10e7e 10ec5 10f1d-10f26 10f51-10f54 10fc5-10fcb 11052-1106f 110f0-110f9
        11136-1113f 111d0-111d9 111e1-111f4 112f0-112f9 11450-11459 114d0-114d9 11650-11659 116c0-116c9
        116d0-116e3 11730-1173b 118a0-118f2 11950-11959 11bf0-11bf9 11c50-11c6c 11d50-11d59 11da0-11da9 11dd9
        11de0-11de9 11f50-11f59 11fc0-11fd4 12400-1246e 16130-16139 16a60-16a69 16ac0-16ac9 16b40-16b43
        16b50-16b59 16b5b-16b61 16d40-16d42 16d6b-16d6c 16d70-16d79 16e40-16e96 16ea0-16eb8 16ebb-16ed3
        16f93-16f9f 16fe0-16fe1 16fe3 16ff2-16ff6 1aff0-1aff3 1aff5-1affb 1affd-1affe 1ccf0-1ccf9 1d2c0-1d2d3
        1d2e0-1d2f3 1d360-1d378 1d400-1d454 1d456-1d49c 1d49e-1d49f 1d4a2 1d4a5-1d4a6 1d4a9-1d4ac 1d4ae-1d4b9
        1d4bb 1d4bd-1d4c3 1d4c5-1d505 1d507-1d50a 1d50d-1d514 1d516-1d51c 1d51e-1d539 1d53b-1d53e 1d540-1d544
        1d546 1d54a-1d550 1d552-1d6a5 1d6a8-1d6c0 1d6c2-1d6da 1d6dc-1d6fa 1d6fc-1d714 1d716-1d734 1d736-1d74e
        1d750-1d76e 1d770-1d788 1d78a-1d7a8 1d7aa-1d7c2 1d7c4-1d7cb 1d7ce-1d7ff 1df00-1df09 1df0b-1df1e
        1df25-1df2a 1e030-1e06d 1e137-1e13d 1e140-1e149 1e2f0-1e2f9 1e4eb 1e4f0-1e4f9 1e5f1-1e5fa 1e6ff
        1e8c7-1e8cf 1e900-1e943 1e94b 1e950-1e959 1ec71-1ecab 1ecad-1ecaf 1ecb1-1ecb4 1ed01-1ed2d 1ed2f-1ed3d
        1f100-1f10c 1fbf0-1fbf9';
      found text := (select prosrc from pg_proc where oid = 'words_of(text)'::regprocedure);
      fixed text := split_part(found, '(?:[', 1) || '(?:['
        || (select string_agg('\\U' || lpad(range[1], 8, '0')
            || '-\\U' || lpad(coalesce(nullif(range[2], ''), range[1]), 8, '0'), '' order by place)
          from regexp_matches(letters, '([0-9a-f]+)-?([0-9a-f]*)', 'g') with ordinality ranges (range, place))
        || substr(found, position('][' in found));
    begin
      if fixed = found then return; end if;
      execute 'create or replace function words_of(body text) returns text immutable language sql as '
        || quote_literal(fixed);
      perform refresh_facts(null);
      insert into touches (team_id, product_id, revision, public_revision)
        values (0, 0, advance_revision(), advance_revision())
        on conflict (team_id, product_id)
          do update set revision = excluded.revision, public_revision = excluded.public_revision;
    end $do$`,
  ],
};
