// The script of the page: copy buttons, and forms for operations without a key. It must not contain `</script`.

export const SCRIPT = `
'use strict';
const make = (tag, properties, ...inner) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inner);
  return element;
};

for (const figure of document.querySelectorAll('figure')) {
  const button = make('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  if (navigator.clipboard) figure.firstChild.append(button);
}

for (const operation of document.querySelectorAll('[data-open]')) {
  const fields = [...operation.querySelectorAll('[data-in]')].map((code) => {
    const name = code.textContent;
    const isInPath = code.dataset.in === 'path';
    const example = code.dataset.example;
    const input = make('input', {
      id: operation.id + '-' + name,
      value: isInPath ? example : '',
      placeholder: isInPath ? '' : example,
      required: isInPath,
      autocomplete: 'off',
      spellcheck: false,
    });
    return { name, isInPath, input };
  });
  const output = make('output', {});
  const labelled = fields.flatMap(({ name, input }) => [make('label', { htmlFor: input.id }, name), input]);
  const form = make('form', {}, ...labelled, make('button', {}, 'Send'), output);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    let path = operation.dataset.path.slice(1);
    const query = new URLSearchParams();
    for (const { name, isInPath, input } of fields) {
      if (isInPath) path = path.replace('{' + name + '}', encodeURIComponent(input.value));
      else if (input.value !== '') query.append(name, input.value);
    }
    const show = (text) => output.replaceChildren(make('pre', { tabIndex: 0 }, text));
    try {
      const response = await fetch(path + (query.size > 0 ? '?' + query : ''));
      const text = await response.text();
      const isJson = (response.headers.get('content-type') ?? '').includes('json');
      show(response.status + '\\n\\n' + (isJson ? JSON.stringify(JSON.parse(text), null, 2) : text));
    } catch (error) {
      show('No response: ' + error.message);
    }
  });
  operation.append(make('details', {}, make('summary', {}, 'Try it here'), form));
}
`;
