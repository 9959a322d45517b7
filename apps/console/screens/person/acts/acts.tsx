import type { FunctionComponent } from 'preact';
import type { Merge } from '../family.js';
import type { Shown, Subject } from '../person.js';
import { Confirm } from './confirm.js';
import { Erase } from './erase.js';
import { Hold, Lift } from './hold.js';
import { MergeWith, Revert } from './merge.js';
import { Portal } from './portal.js';
import { Record } from './record.js';
import { OpenRequest } from './request.js';
import { Reveal } from './reveal.js';

const ACTS = {
  confirm: Confirm,
  erase: Erase,
  hold: Hold,
  lift: Lift,
  merge: MergeWith,
  portal: Portal,
  record: Record,
  request: OpenRequest,
  reveal: Reveal,
  revert: Revert,
} as const satisfies { readonly [act: string]: FunctionComponent<ActProps> };

/** The act whose dialog is open, and what it begins with. */
export interface Wanted {
  readonly act: keyof typeof ACTS;
  readonly purpose?: string;
  readonly decision?: 'WITHDRAWN';
  readonly merge?: Merge;
}

/** What a dialog is given. */
export interface ActProps extends Shown {
  readonly subject: Subject;
  readonly wanted: Wanted;
  /** What shows the person asks anew. */
  readonly onChange: () => void;
  readonly onReveal: (subject: Subject) => void;
  readonly onClose: () => void;
}

/** The dialog of an act. */
export default function Acts(props: ActProps) {
  const Act: FunctionComponent<ActProps> = ACTS[props.wanted.act];
  return <Act {...props} />;
}
