import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** The frame of a screen: heading, what it is about, and its acts at the top right. */
export function Page(props: {
  readonly title: string;
  /** What the browser's tab says, where the title is no name of the screen. */
  readonly tab?: string;
  /** Above the title: where this page belongs. */
  readonly trail?: ComponentChildren;
  readonly lead?: ComponentChildren;
  /** At most one of them loud (`Button look="main"`). */
  readonly acts?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${props.tab ?? props.title} · Assent`;
  }, [props.tab ?? props.title]);
  return (
    <>
      <div class="top">
        <div class="grow">
          {props.trail && <p class="small">{props.trail}</p>}
          <h1 tabIndex={-1}>{props.title}</h1>
          {props.lead && <p>{props.lead}</p>}
        </div>
        {props.acts && <div class="acts">{props.acts}</div>}
      </div>
      {props.children}
    </>
  );
}

export function Card(props: {
  readonly title: ComponentChildren;
  /** At the end of the heading's line. */
  readonly end?: ComponentChildren;
  /** Lists and tables reach the border. */
  readonly isFlush?: boolean;
  readonly class?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class={`card ${props.class ?? ''}`}>
      <header>
        <h2>{props.title}</h2>
        {props.end && <div class="end">{props.end}</div>}
      </header>
      {props.isFlush ? props.children : <div class="pad">{props.children}</div>}
    </section>
  );
}

/** Terms and what holds for them. */
export function Facts(props: { readonly children: ComponentChildren }) {
  return <dl class="fact">{props.children}</dl>;
}
export function Fact(props: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{props.term}</dt>
      <dd>{props.children}</dd>
    </>
  );
}
