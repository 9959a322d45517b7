import type { ComponentChildren } from 'preact';
import { frameWords as t } from '../frame/words.js';
import { Button, CopyButton } from './button.js';
import { Dialog } from './form.js';
import { Note } from './states.js';

/** Something that the service shows once, such as a secret or a link, to be copied now. `text` null: nothing to show. */
export function ShownOnce(props: {
  readonly title: string;
  readonly label: string;
  readonly text: string | null;
  readonly onClose: () => void;
  /** What to do with it. */
  readonly children: ComponentChildren;
}) {
  return (
    <Dialog title={props.title} isOpen={props.text !== null} onClose={props.onClose}>
      <div class="grid">
        <Note tone="wait">{props.children}</Note>
        <div>
          <h3>{props.label}</h3>
          <code>{props.text}</code>
        </div>
        <div class="acts">
          <CopyButton text={props.text ?? ''} />
          <Button look="main" onPress={props.onClose}>
            {t('close')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
