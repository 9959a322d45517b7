import type { ComponentChildren } from 'preact';

/** One large figure: what it is, the figure, and what stands behind it. */
export function Stat(props: {
  readonly term: ComponentChildren;
  readonly value: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="card stat">
      <dt class="k">{props.term}</dt>
      <dd class="v">{props.value}</dd>
      {props.children !== undefined && <dd class="d">{props.children}</dd>}
    </div>
  );
}
/** Figures beside each other. */
export function Stats({ children }: { readonly children: ComponentChildren }) {
  return <dl class="grid g3 stats">{children}</dl>;
}
