// Distinguishes names from sentences: `Rocket 2.0` may be a version, `Upgrading to 2.0` is a section.
const WORDS_MAX = 4;
const OF_SENTENCES = new Set(
  (
    'a about above according add added adds after against all an and api are as at automatic backport backported backports ' +
    'before below between both breaking bump bumped bumps but by change changed changelog changes compat compatibility ' +
    'compatible compile deprecate deprecated deprecation deprecations dependencies drop dropped drops during earlier every features ' +
    'fix fixed fixes following for from guide has have how if improve improved improvements in initial install into is it its known ' +
    'later migrate migrating migration minimum more move moved new newer no not note notes now of older on only or other our ' +
    'over per plan port possible pre previous prior recent released remove removed require required requirements requires ' +
    'requiring removes revert reverted see since some start starting support supported supporting supports switch switched ' +
    'than that the their then these this those through to track unsupported until up update updated updates upgrade upgraded ' +
    "upgrades upgrading use used uses using via vs was were what what's what’s when why will with within without you your"
  ).split(' '),
);
/** `Changes in 2.0` is the version 2.0. */
const ABOUT_THE_VERSION =
  /^(?:(?:notable |main |major |list of |summary of )?changes|changelog|change ?log|release notes|notes|news|highlights|what(?:['’]s| is) new|new(?: features)?|updates?)(?: (?:in|for|of|with))?(?: the)?(?: (?:version|release))?(?: \S+)?$/i;

/** Whether these words are more than a name. */
export function isPhrase(words: string): boolean {
  const all = words
    .toLowerCase()
    .split(/[\s,:;()[\]"“”]+/)
    .filter((word) => word !== '');
  return all.length > WORDS_MAX || /[?!;]$/.test(words) || all.some((word) => OF_SENTENCES.has(word));
}

export function isAboutVersion(words: string): boolean {
  return ABOUT_THE_VERSION.test(words);
}

/** `1.2.0 Changes` says no more than `1.2.0`. */
export function saysNothing(words: string): boolean {
  return /^(?:changes|change ?log|release(?: notes)?|notes)$/i.test(words);
}
