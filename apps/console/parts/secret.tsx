import type { ComponentChildren } from 'preact';
import { frameWords as t } from '../frame/words.js';
import { Button, CopyButton } from './button.js';
import { Dialog } from './form.js';
import { Note } from './states.js';

/** A key or token that the service shows once. Nothing keeps it but this dialog, and closing the dialog forgets it. */
export function SecretOnce(props: {
  readonly title: string;
  /** Null: there is nothing to show. */
  readonly secret: string | null;
  readonly children?: ComponentChildren;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={props.title} isOpen={props.secret !== null} onClose={props.onClose}>
      <Note tone="wait">{t('secret.once')}</Note>
      <code class="secret">{props.secret}</code>
      {props.children}
      <div class="acts">
        <CopyButton text={props.secret ?? ''} />
        <Button look="main" onPress={props.onClose}>
          {t('secret.kept')}
        </Button>
      </div>
    </Dialog>
  );
}
