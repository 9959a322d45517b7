import { createHash } from 'node:crypto';

/**
 * Beside the style of every page. Rules are under `.plain`, as there. In tables words are broken on small screens only, and
 * not where the table can be scrolled.
 */
export const GUIDE_STYLE = `.plain table{width:100%;margin:.8rem 0;border-collapse:collapse}
.plain th,.plain td{padding:.4rem .6rem;border:1px solid var(--line);text-align:start;vertical-align:top}
.plain th{background:var(--panel)}
.plain .wide{overflow-x:auto;margin:.8rem 0}
.plain .wide table{min-width:40rem;margin:0}
.plain .wide th,.plain .wide td,.plain .wide td code{overflow-wrap:break-word}
.plain .wide:focus-visible{outline:3px solid var(--mark);outline-offset:2px;border-radius:2px}
@media (min-width:48rem){.plain th,.plain td,.plain td code{overflow-wrap:break-word}}
.plain h3{margin-top:1.6rem}
.plain li{margin:.3rem 0}
.plain img{max-width:100%;height:auto}
`;
export const GUIDE_STYLE_HASH = createHash('sha256').update(GUIDE_STYLE).digest('hex').slice(0, 12);
