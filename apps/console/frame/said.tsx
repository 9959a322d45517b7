import { signal } from '@preact/signals';
import { Icon } from '../parts/icon.js';

const sentence = signal<string | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says for a few seconds that something was done. Screen readers say it, too. */
export function say(done: string): void {
  sentence.value = done;
  clearTimeout(timer);
  timer = setTimeout(() => (sentence.value = null), 6_000);
}

export function Said() {
  return (
    <div class="said" role="status">
      {sentence.value !== null && (
        <p>
          <Icon name="check" />
          {sentence.value}
        </p>
      )}
    </div>
  );
}
