// A constructed style sheet: a content security policy need not allow it.
const CSS = `
:host([hidden]),[hidden]{display:none!important}
:host([mode=inline]){display:block}
:host([mode=inline]) [part=anchor]{display:none}
*{box-sizing:border-box;margin:0}
[part=anchor]{position:relative}
[part=anchor],::slotted(*){anchor-name:--a}
[part=anchor]>span{position:absolute;contain:layout;top:0;top:anchor(--a top,0);inset-inline-start:100%;inset-inline-start:anchor(--a end,100%)}
[part=trigger]{font:inherit}
[part=badge],[part=content]{all:initial;visibility:inherit;color-scheme:inherit;font:var(--whats-new-font,1rem/1.5 system-ui,sans-serif);border:1px solid #0000}
[part=badge]{position:absolute;bottom:-.5rem;inset-inline-start:-.25rem;min-width:.5rem;padding:0 .25rem;border-radius:1rem;font-size:.6875rem;font-weight:600;line-height:1rem;text-align:center;pointer-events:none;background:var(--whats-new-badge,#c4231a);color:#fff}
dialog{inset:auto;bottom:0;inset-inline-end:0;margin:.5rem;padding:0;border:1px solid #0000;width:min(var(--whats-new-width,26rem),100vw - 1rem);max-width:none;max-height:min(var(--whats-new-height,36rem),100dvh - 1rem);overflow:auto;overscroll-behavior:contain;border-radius:var(--whats-new-radius,.75rem);box-shadow:0 .5rem 2rem #0004,0 0 0 1px #8884}
dialog:modal{inset:0;margin:auto}
:modal::backdrop{background:#0007}
@supports(position-area:top){:popover-open{inset:auto;position-anchor:--a;position-area:block-end span-all;position-try:most-block-size flip-block;max-height:min(var(--whats-new-height,36rem),100% - 1rem)}}
[part=content]{display:block;padding:0 1.25rem;overflow-wrap:anywhere;background:var(--page);color:var(--text);
--accent:var(--whats-new-accent,light-dark(#0a58ca,#79b4ff));
--page:var(--whats-new-background,light-dark(#fff,#171b22));
--text:var(--whats-new-text,light-dark(#22272e,#dde2e8))}
dialog [part=header]{position:sticky;top:0}
[part=header]{display:flex;align-items:center;justify-content:space-between;padding:.75rem 0;background:var(--page)}
h2,h3,h4{font-size:1.125rem;font-weight:600;line-height:1.3}
h3{font-size:1rem}
[part=close]{font:1.25rem/1 system-ui;width:2rem;height:2rem;padding:0;margin-inline-end:-.5rem;border:0;border-radius:.5rem;background:none;color:inherit;cursor:pointer}
[part=close]:hover,code{background:#8883}
[part=version],[part=more]{display:block;border-top:1px solid #8884;padding:1rem 0}
[part=meta],[part=status],[part=more]{font-size:.875rem;color:color-mix(in srgb,var(--text) 75%,var(--page))}
[part=status]:not(:empty){padding-bottom:1rem}
b,time{unicode-bidi:isolate;margin-inline-end:.75rem}
b{font:600 .875em Menlo,Consolas,monospace;color:var(--accent)}
h4{font-size:1rem;margin:.75rem 0 .25rem}
[part~=tag]{display:inline-block;font-size:.75rem;font-weight:600;line-height:1.5;padding:0 .375rem;border:1px solid #0000;border-radius:.25rem;color:color-mix(in srgb,var(--type,#888) 60%,var(--text));background:color-mix(in srgb,var(--type,#888) 10%,#0000)}
[part~=added]{--type:#090}
[part~=changed]{--type:#07f}
[part~=deprecated],[part~=removed]{--type:#b70}
[part~=fixed]{--type:#84f}
[part~=security],[part~=breaking],[part~=yanked]{--type:red}
ul,ol{padding-inline-start:1.125rem}
[part=changes]{padding:0}
[part=change]{margin-inline-start:1.125rem}
li::marker{color:#888}
li,p+*,pre{margin-top:.25rem}
a{color:var(--accent)}
h3 a{color:inherit;text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
dialog:focus{outline:0}
code{font:.875em Menlo,Consolas,monospace;padding:.125rem .25rem;border-radius:.25rem}
pre{overflow:auto;direction:ltr}
@media(prefers-reduced-motion:no-preference){dialog{animation:a .15s}@keyframes a{from{opacity:0;translate:0 .5rem}}}
`;

let sheet;

/** One for all elements. */
export function styles() {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
