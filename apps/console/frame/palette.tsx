import { useEffect, useId, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { at, atHouse } from '../addresses.js';
import { answered, api } from '../api/client.js';
import { Problem } from '../api/problem.js';
import { Dialog } from '../parts/form.js';
import { Icon, type IconName } from '../parts/icon.js';
import { may, places, type Place } from '../session.js';
import { HOUSE_SCREENS, SITE_SCREENS } from './navigation.js';
import { frameWords as t } from './words.js';

export const isPaletteOpen = signal(false);

interface Way {
  readonly text: string;
  readonly icon: IconName;
  readonly go: () => void | Promise<void>;
}

/** Reaches every screen by a few letters, and looks a person up: Ctrl-K. Nothing that is typed stands in an address. */
export function Palette({ place }: { readonly place: Place | null }) {
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      isPaletteOpen.value = true;
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <Dialog title={t('palette')} isOpen={isPaletteOpen.value} onClose={() => (isPaletteOpen.value = false)}>
      <Ways place={place} />
    </Dialog>
  );
}

function Ways({ place }: { readonly place: Place | null }) {
  const { route } = useLocation();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [said, setSaid] = useState<string | null>(null);
  const to = (href: string) => () => {
    isPaletteOpen.value = false;
    route(href);
  };
  const screens: Way[] = [
    ...SITE_SCREENS.filter(({ needs }) => place !== null && may(needs, place)).map(({ screen, icon }) => ({
      text: t(`screen.${screen}`),
      icon,
      go: to(at(place!, screen)),
    })),
    ...HOUSE_SCREENS.filter(({ needs }) => may(needs)).map(({ screen, icon }) => ({
      text: t(`screen.${screen}`),
      icon,
      go: to(atHouse(screen)),
    })),
    ...places.value
      .filter(({ site, env }) => site !== place?.site || env !== place.env)
      .map((other) => ({
        text: `${other.name} · ${t(`env.${other.env}`)}`,
        icon: 'globe' as const,
        go: to(at(other, 'overview')),
      })),
  ];
  const wanted = typed.trim();
  const lookUp = async () => {
    const subject = await found(place!, wanted).catch((thrown: unknown) => Problem.from(thrown));
    if (typeof subject === 'string') to(at(place!, 'people', subject))();
    else setSaid(subject instanceof Problem && subject.kind !== 'missing' ? subject.message : t('palette.unknown'));
  };
  const ways: Way[] = [
    ...screens.filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase())),
    ...(place && wanted !== '' && may('lookUpSubject', place)
      ? [{ text: t('palette.person', { value: wanted }), icon: 'person' as const, go: lookUp }]
      : []),
  ];
  const current = Math.min(chosen, ways.length - 1);
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) void ways[current]?.go();
    else setChosen((current + step + ways.length) % Math.max(ways.length, 1));
  };
  return (
    <div class="palette">
      <input
        type="search"
        list={undefined}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        aria-label={t('search')}
        placeholder={t('search')}
        value={typed}
        autocomplete="off"
        autofocus
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
          setSaid(null);
        }}
        onKeyDown={pressed}
      />
      <ul role="listbox" id={id} aria-label={t('palette')}>
        {ways.map((way, i) => (
          <li
            key={way.text}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === current}
            onClick={() => void way.go()}
            onMouseMove={() => setChosen(i)}
          >
            <Icon name={way.icon} />
            {way.text}
          </li>
        ))}
      </ul>
      <p role="status" class="small">
        {said ?? (ways.length === 0 ? t('palette.none') : '')}
      </p>
    </div>
  );
}

/** Id of the person whom a text names: `kind:value`, an e-mail address, an id of the service, or a user id. */
async function found(place: Place, text: string): Promise<string> {
  const { kind, value } = referenceOf(text);
  const params = { path: place };
  const { subject } = await answered(
    api.POST('/admin/v1/sites/{site}/{env}/subjects/lookup', { params, body: { kind, value } }),
  );
  return subject.id;
}

/** What kind of identifier a text is, as an operator types it. */
export function referenceOf(text: string): { kind: string; value: string } {
  const [, kind, value] = /^([a-z][a-z_.]*):(.+)$/.exec(text) ?? [];
  if (kind !== undefined) return { kind, value: value! };
  if (text.startsWith('sub_')) return { kind: 'subject', value: text };
  if (text.includes('@')) return { kind: 'email', value: text };
  if (/^\+[\d\s()-]{6,}$/.test(text)) return { kind: 'phone', value: text };
  return { kind: 'user_id', value: text };
}
