import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon.js';

/** Acts that are needed less often, behind one button. Escape, and a press elsewhere, close it. */
export function Menu(props: {
  readonly label: string;
  readonly options: readonly { readonly text: string; readonly icon: IconName; readonly onPick: () => void }[];
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const pressed = ({ target }: Event) => {
      if (menu.current && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    addEventListener('pointerdown', pressed);
    return () => removeEventListener('pointerdown', pressed);
  }, []);
  const close = () => {
    menu.current!.open = false;
    menu.current!.querySelector('summary')!.focus();
  };
  return (
    <details
      class="more-acts"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <summary class="btn">
        {props.label}
        <Icon name="chevron" />
      </summary>
      <ul>
        {props.options.map(({ text, icon, onPick }) => (
          <li key={text}>
            <button
              type="button"
              class="nav"
              onClick={() => {
                close();
                onPick();
              }}
            >
              <Icon name={icon} />
              {text}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
