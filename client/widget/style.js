// A constructed style sheet: a content security policy need not allow it.
const CSS = `
:host([hidden]),[hidden]{display:none!important}
:host([mode=inline]){display:block}
:host([mode=inline]) [part=anchor]{display:none}
*{box-sizing:border-box;margin:0}
[part=anchor]{position:relative}
[part=anchor],::slotted(*){anchor-name:--a}
[part=anchor]>span{position:absolute;font-size:medium;contain:layout;top:0;top:anchor(--a top,0);inset-inline-start:100%;inset-inline-start:anchor(--a end,100%)}
[part=trigger]{font:inherit}
[part=badge],[part=content]{all:initial;visibility:inherit;color-scheme:inherit;font:var(--whats-new-font,medium/1.5 system-ui,sans-serif);border:1px solid #0000}
[part=badge]{position:absolute;bottom:-8px;inset-inline-start:-4px;min-width:8px;padding:0 4px;border-radius:2em;font-size:.6875em;font-weight:600;line-height:1.45;text-align:center;pointer-events:none;background:var(--whats-new-badge,#c4231a);color:#fff}
dialog{inset:auto;bottom:0;inset-inline-end:0;margin:8px;padding:0;font-size:medium;border:1px solid #0000;width:min(var(--whats-new-width,26em),100vw - 16px);max-width:none;max-height:min(var(--whats-new-height,36em),100dvh - 16px);overflow:auto;overscroll-behavior:contain;box-shadow:0 8px 32px #0004,0 0 0 1px #8884}
dialog:modal{inset:0;margin:auto}
:modal::backdrop{background:#0007}
@supports(position-area:top){:popover-open{inset:auto;position-anchor:--a;position-area:block-end span-all;position-try:most-block-size flip-block;min-height:min(12em,100dvh - 16px);max-height:min(var(--whats-new-height,36em),100% - 16px)}}
[part=panel]{border-radius:var(--whats-new-radius,12px);background:var(--page);
--accent:var(--whats-new-accent,light-dark(#0a58ca,#79b4ff));
--page:var(--whats-new-background,light-dark(#fff,#171b22));
--text:var(--whats-new-text,light-dark(#22272e,#dde2e8))}
[part=content]{display:block;padding:0 20px;overflow-wrap:anywhere;color:var(--text)}
dialog [part=header]{position:sticky;top:0}
[part=header]{display:flex;align-items:center;justify-content:space-between;padding:12px 0;border-bottom:1px solid #8884;background:var(--page)}
h1,h2,h3,h4,h5,h6{font-size:1em;font-weight:600;line-height:1.3}
[part=heading]{font-size:1.125em}
[part=close]{font:1.25em/1 system-ui;width:1.6em;height:1.6em;padding:0;margin-inline-end:-8px;color:inherit}
[part=close]:hover,code{background:#8883}
[part=version],[part=more]{display:block;border-top:1px solid #8884;padding:16px 0}
[part=meta],[part=status],[part=more]{font-size:.875em;color:color-mix(in srgb,var(--text) 75%,var(--page))}
[part=status]+*{border:0}
[part=status]:not(:empty){padding-top:16px}
[part=status]:last-child{padding-bottom:16px}
time{unicode-bidi:isolate}
[part=meta]>*+*,[part=label]+*{margin-inline-start:12px}
[part=label]{font:600 .875em Menlo,Consolas,monospace;color:var(--accent)}
h4{margin:12px 0 4px}
[part~=tag]{display:inline-block;font-size:.8em;font-weight:600;line-height:1.5;padding:0 6px;border:1px solid #0000;border-radius:4px;color:color-mix(in srgb,var(--type,#888) 60%,var(--text));background:color-mix(in srgb,var(--type,#888) 10%,#0000)}
[part~=added]{--type:#090}
[part~=changed]{--type:#07f}
[part~=deprecated],[part~=removed]{--type:#b70}
[part~=fixed]{--type:#84f}
[part~=security],[part~=breaking],[part~=yanked]{--type:red}
ul,ol,dd{padding-inline-start:18px}
[part=changes]{padding:0}
[part=change]{margin-inline-start:18px}
li::marker{color:#888}
li,[part=version] div *+*{margin-top:4px}
a{color:var(--accent)}
h3 a{display:inline-block;padding:2px 0;color:inherit;text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
dialog:focus{outline:0}
code{direction:ltr;unicode-bidi:isolate;font:.875em Menlo,Consolas,monospace;padding:2px 4px;border-radius:4px}
pre{overflow:auto;direction:ltr;padding:8px 12px;border-radius:8px;background:#8882}
pre code{padding:0;background:none}
blockquote{padding-inline-start:12px;border-inline-start:3px solid #8884}
table{display:block;overflow:auto;border-collapse:collapse}
img{max-width:100%;height:auto}
[part=image]{display:block;max-height:14em;margin:8px auto;border-radius:8px}
[part=description]{overflow:hidden;margin-top:8px}
@media screen{[part=description]{max-height:9em}[part=description]:has(+:not([hidden])){mask:linear-gradient(#000 60%,#0000)}}
[part=unfold]{font:inherit;padding:0;color:var(--accent)}
[part=content] button{border:0;border-radius:8px;background:none;cursor:pointer}
th,td{padding:4px 8px;border:1px solid #8884;text-align:start;overflow-wrap:break-word}
@media print{pre{white-space:pre-wrap}button{display:none}}
`;

let sheet;

/** One for all elements. */
export function styles() {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
