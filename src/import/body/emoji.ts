// What emoji stand for, as characters and as codes: those of gitmoji.dev, and others that people use in changelogs.
import type { ChangeType } from '../../domain/model.ts';

export type EmojiMeaning = Readonly<{
  type: ChangeType;
  breaking: boolean;
  /** Whether it is also used as an ornament, so that the first word of a text tells more. */
  isOrnament: boolean;
}>;

const ORNAMENTS = '🚀rocket 🎉tada 🌟star2 📣mega';

const EMOJI: Readonly<Record<ChangeType | 'breaking', string>> = {
  added: `✨sparkles 🆕new ⭐star 📈chart_with_upwards_trend 🔊loud_sound 🚩triangular_flag_on_post
    🩺stethoscope 🦺safety_vest 🥚egg 🎁gift ${ORNAMENTS}`,
  changed: `⚡zap 🐎racehorse ♻recycle 🎨art 💄lipstick 🔧wrench 🏗building_construction ⬆arrow_up ⬇arrow_down 📌pushpin
    ➕heavy_plus_sign ➖heavy_minus_sign 📦package 🚚truck ⏪rewind 👽alien 🍱bento ♿wheelchair 💬speech_balloon
    🗃card_file_box 🚸children_crossing 📱iphone 🥅goal_net 💫dizzy 🏷label 🛂passport_control 👔necktie 🧵thread 🌐globe_with_meridians
    🔍mag 🧑‍💻technologist ✈airplane 💅nail_care 📶signal_strength`,
  deprecated: '🗑wastebasket',
  removed: '🔥fire ⚰coffin 🔇mute ❌x',
  fixed:
    '🐛bug 🐞lady_beetle 🪲beetle 🪳cockroach 🚑ambulance 🩹adhesive_bandage ✏pencil2 🔨hammer 🦟mosquito',
  security: '🔒lock 🔐closed_lock_with_key 🛡shield',
  other: `📝memo 📚books 📖book 📄page_facing_up 💡bulb ✅white_check_mark 🧪test_tube 🤡clown_face 📸camera_flash 👷construction_worker
    💚green_heart 🚨rotating_light 🔖bookmark 🚧construction 🔀twisted_rightwards_arrows 🙈see_no_evil ⚗alembic 🌱seedling
    🧐monocle_face 🧱bricks 💸money_with_wings 🧹broom 💩poop 🍻beers 👥busts_in_silhouette 🏠house 🤖robot`,
  breaking: '💥boom',
};

const CHARACTERS = /^(?:\p{Extended_Pictographic}|\uFE0F|\u200D|\p{Emoji_Modifier})+/u;
const AT_START = /^(?:((?:\p{Extended_Pictographic}|\uFE0F|\u200D|\p{Emoji_Modifier})+)|:([\w+-]{1,40}):)/u;

/** Of the emoji at the start of a text; undefined if there is none, or it says nothing. */
export function meaningOfEmoji(text: string): EmojiMeaning | undefined {
  const found = AT_START.exec(text);
  if (found === null) return undefined;
  meanings ??= makeMeanings();
  const [, characters = '', code = ''] = found;
  if (code !== '') return meanings.get(code);
  return (
    meanings.get(plain(characters)) ?? meanings.get(String.fromCodePoint(characters.codePointAt(0) ?? 0))
  );
}

/** Made when first needed: most files have no emoji. */
let meanings: ReadonlyMap<string, EmojiMeaning> | undefined;

function makeMeanings(): ReadonlyMap<string, EmojiMeaning> {
  return new Map(
    Object.entries(EMOJI).flatMap(([type, list]) =>
      list.split(/\s+/).flatMap((pair) => {
        const [character = ''] = CHARACTERS.exec(pair) ?? [];
        const meaning: EmojiMeaning = {
          type: type === 'breaking' ? 'changed' : (type as ChangeType),
          breaking: type === 'breaking',
          isOrnament: ORNAMENTS.includes(pair),
        };
        return [character, pair.slice(character.length)].map((key) => [plain(key), meaning] as const);
      }),
    ),
  );
}

/** Variation selectors only choose how it looks. */
function plain(characters: string): string {
  return characters.replaceAll('\uFE0F', '');
}
