/**
 * How the banner looks. What the theme of the site says is a custom property of the element; the rest is from here. Buttons
 * of one emphasis differ in nothing but their words, and share the width, so that no choice is heavier than another.
 */
export const BANNER_STYLE = `.consent-banner{--ground:var(--light-background,#fff);--ink:var(--light-text,#1b1f24);--strong:var(--light-primary,#0b57b0);--on-strong:var(--light-on-primary,#fff);--weak:var(--light-secondary,#eef1f4);--on-weak:var(--light-on-secondary,#1b1f24);--edge:var(--light-border,#767f8a);--anchor:var(--light-link,#0b57b0)}
@media (prefers-color-scheme:dark){.consent-banner{--ground:var(--dark-background,#1e2329);--ink:var(--dark-text,#e7eaee);--strong:var(--dark-primary,#8ec0ff);--on-strong:var(--dark-on-primary,#10151b);--weak:var(--dark-secondary,#323a44);--on-weak:var(--dark-on-secondary,#e7eaee);--edge:var(--dark-border,#8b95a1);--anchor:var(--dark-link,#8ec0ff)}}
.consent-banner{position:fixed;inset:auto 1rem 1rem auto;box-sizing:border-box;width:min(32rem,calc(100vw - 2rem));max-width:none;max-height:calc(100dvh - 2rem);margin:0;padding:1.1rem 1.25rem;overflow:auto;overscroll-behavior:contain;border:1px solid var(--edge);border-radius:var(--radius,8px);background:var(--ground);color:var(--ink);font:1rem/1.5 var(--font,system-ui,sans-serif);overflow-wrap:anywhere;box-shadow:0 .5rem 2rem #0005;z-index:10}
.consent-banner[dir=rtl]{inset:auto auto 1rem 1rem}
.consent-banner[data-position=TOP]{top:1rem;bottom:auto}
.consent-banner[data-layout=BAR]{inset-inline:0;bottom:0;width:100vw;border-radius:0}
.consent-banner[data-layout=BAR][data-position=TOP]{top:0;bottom:auto}
.consent-banner[data-position=CENTER],.consent-banner[data-layout=DIALOG],.consent-banner[data-layout=WALL]{inset:0;margin:auto;height:fit-content}
.consent-banner[data-layout=WALL]::backdrop{background:#000c}
.consent-banner h2{margin:0 0 .4rem;padding-inline-end:2rem;font-size:1.2rem;line-height:1.3}
.consent-banner h2:focus{outline:none}
.consent-banner p{margin:0 0 .6rem}
.consent-banner .close{position:absolute;inset-block-start:.5rem;inset-inline-end:.5rem;min-width:2.75rem;padding:0;border-color:var(--ground);background:var(--ground);color:var(--ink);font-size:1.5rem;line-height:1}
.consent-banner a{display:inline-block;min-height:24px;margin-inline-end:.8rem;color:var(--anchor)}
.consent-banner .links:empty,.consent-banner .problem:empty,.consent-banner .buttons:empty{display:none}
.consent-banner .problem{margin:.8rem 0 0;font-weight:600}
.consent-banner .buttons{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,9rem),1fr));gap:.6rem;margin-top:.8rem}
.consent-banner button{min-height:2.75rem;padding:.5rem .8rem;border:2px solid var(--edge);border-radius:calc(var(--radius,8px)*.75);font:inherit;font-weight:600;cursor:pointer}
.consent-banner .primary{border-color:var(--strong);background:var(--strong);color:var(--on-strong)}
.consent-banner .secondary{background:var(--weak);color:var(--on-weak)}
.consent-banner a:focus-visible,.consent-banner button:focus-visible,.consent-banner input:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.consent-banner fieldset{margin:.9rem 0 0;padding:0;border:0}
.consent-banner legend{padding:0;font-weight:600}
.consent-banner ul{margin:.4rem 0 0;padding:0;list-style:none}
.consent-banner li{padding:.5rem 0;border-top:1px solid var(--edge)}
.consent-banner label{display:flex;gap:.6rem;align-items:center;min-height:24px}
.consent-banner input{flex:none;width:1.4rem;height:1.4rem;margin:0;accent-color:var(--strong)}
.consent-banner .name{font-weight:600}
.consent-banner .about{display:block}
#banner-reopen{min-height:2.75rem;padding:.5rem 1rem;border:2px solid var(--mark);border-radius:6px;background:var(--ground);color:var(--link);font:inherit;font-weight:600;cursor:pointer}
#banner-reopen.floating{position:fixed;inset:auto auto 1rem 1rem;z-index:9}
#banner-reopen:focus-visible{outline:3px solid var(--text);outline-offset:2px}
html[data-banner-open]{scroll-padding-bottom:var(--banner-height,0)}
html[data-banner-open] body{padding-bottom:var(--banner-height,0)}
html[data-banner-open=true]{overflow:hidden}
#banner-state{min-height:1.5em}
`;
