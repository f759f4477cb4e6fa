// Lists the releases of the demo with gitea-js, a client generated from the description of Gitea itself.
const { giteaApi } = await import(new URL('node_modules/gitea-js/dist/index.js', import.meta.url).href);

const [baseUrl] = process.argv.slice(2);
const { repos } = giteaApi(baseUrl, {});
const labels: string[] = [];
let total = 0;
for (let page = 1; page === 1 || labels.length < total; page++) {
  const response = await repos.repoListReleases('acme', 'rocket', { page, limit: 3 });
  total = Number(response.headers.get('x-total-count'));
  labels.push(...response.data.map(({ tag_name }: { tag_name: string }) => tag_name));
}
console.log(JSON.stringify({ releases: labels, total }));
