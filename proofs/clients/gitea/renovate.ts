// What Renovate finds with its own modules: releases, tags, and the notes that it puts into a pull request.
const DIST = new URL('node_modules/renovate/dist/', import.meta.url);
const load = async (file: string) => await import(new URL(file, DIST).href);
const [hostRules, { applyPackageRules }, { getPkgReleases }, { getChangeLogJSON }] = await Promise.all(
  [
    'util/host-rules.js',
    'util/package-rules/index.js',
    'modules/datasource/index.js',
    'workers/repository/update/pr/changelog/index.js',
  ].map(load),
);

const { baseUrl, token, from, to, config } = JSON.parse(process.argv[2] ?? '');
for (const rule of config.hostRules) hostRules.add({ ...rule, ...(token && { token }) });

const listed = async (datasource: string) => {
  const found = await getPkgReleases({ datasource, packageName: 'acme/rocket', registryUrls: [baseUrl] });
  return (found?.releases ?? []) as { version: string }[];
};
const releases = await listed('gitea-releases');
const tags = await listed('gitea-tags');

// A package of another registry whose notes are here.
const dependency = { packageName: 'rocket', depName: 'rocket', datasource: 'npm', versioning: 'semver' };
const configured = await applyPackageRules({ ...dependency, packageRules: config.packageRules });
const found = await getChangeLogJSON({
  ...configured,
  currentVersion: from,
  newVersion: to,
  releases: ['1.4.0', '1.4.1', '1.4.2', '2.0.0', '2.0.1', '2.1.0'].map((version) => ({
    version,
    gitRef: version,
  })),
});
const notes = found?.versions.map(
  ({ version, compare, releaseNotes }: Record<string, Record<string, string>>) => ({
    version,
    url: releaseNotes?.url,
    compareUrl: compare?.url,
    name: releaseNotes?.name,
    body: releaseNotes?.body ?? '',
  }),
);
const versionsOf = (all: readonly { version: string }[]) => all.map(({ version }) => version);
console.log(JSON.stringify({ releases: versionsOf(releases), tags: versionsOf(tags), notes: notes ?? null }));
process.exit();
