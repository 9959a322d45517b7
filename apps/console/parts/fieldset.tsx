import type { ComponentChildren } from 'preact';

/** Fields that answer one question together. */
export function Fieldset(props: {
  readonly legend: string;
  readonly hint?: ComponentChildren;
  /** Short fields stand beside each other. */
  readonly isDense?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <fieldset class={props.isDense ? 'dense' : undefined}>
      <legend>{props.legend}</legend>
      {props.hint && <p class="hint">{props.hint}</p>}
      <div>{props.children}</div>
    </fieldset>
  );
}
