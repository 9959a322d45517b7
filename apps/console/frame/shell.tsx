import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { at, atHouse, outside } from '../addresses.js';
import { Problem } from '../api/problem.js';
import { Icon, type IconName } from '../parts/icon.js';
import { may, places, session, signOut, type Place } from '../session.js';
import { distance, number } from '../words.js';
import { counts } from './badges.js';
import { LanguageChoice } from './language.js';
import { HOUSE_SCREENS, SITE_SECTIONS } from './navigation.js';
import { isPaletteOpen, Palette } from './palette.js';
import { Said } from './said.js';
import { summaryOf } from './summary.js';
import { frameWords as t } from './words.js';

/** Navigation beside a screen. On a phone it opens from the bar at the top. */
export function Shell(props: { readonly place: Place | null; readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const side = useRef<HTMLElement>(null);
  useEffect(() => setOpen(false), [path]);
  // The numbers beside the screens are those of this place. Where they cannot be had, there are none.
  useEffect(() => {
    counts.value = {};
    if (props.place) void summaryOf(props.place).catch((thrown: unknown) => Problem.from(thrown));
  }, [props.place?.site, props.place?.env]);
  // A new screen begins at its heading, for readers and for eyes.
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) document.querySelector<HTMLElement>('#content')?.focus();
    first.current = false;
  }, [path]);
  const name = places.value.find(({ site }) => site === props.place?.site)?.name ?? t('brand');
  return (
    <>
      <a class="skip" href="#content">
        {t('skip')}
      </a>
      <header class="menu">
        <button
          type="button"
          class="btn quiet only-icon"
          aria-expanded={isOpen}
          aria-controls="side"
          aria-label={t('menu')}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'cross' : 'menu'} />
        </button>
        <b>{name}</b>
        {props.place && <EnvBadge env={props.place.env} />}
        <button
          type="button"
          class="btn quiet only-icon end"
          aria-label={t('search')}
          onClick={() => (isPaletteOpen.value = true)}
        >
          <Icon name="search" />
        </button>
      </header>
      <div class="shell">
        <nav class={isOpen ? 'side open' : 'side'} id="side" aria-label={t('navigation')} ref={side}>
          <a class="brand" href={props.place ? at(props.place, 'overview') : atHouse('system')}>
            <Icon name="leaf" />
            {t('brand')}
          </a>
          {props.place && <SiteChoice place={props.place} />}
          <button type="button" class="search" onClick={() => (isPaletteOpen.value = true)}>
            <Icon name="search" />
            <span>{t('search.short')}</span>
            <kbd>Ctrl K</kbd>
          </button>
          {props.place &&
            SITE_SECTIONS.map(({ title, screens }) => {
              const shown = screens.filter(({ needs }) => may(needs, props.place!));
              if (shown.length === 0) return null;
              return (
                <Section key={title} title={t(title)}>
                  {shown.map(({ screen, icon }) => (
                    <Entry
                      key={screen}
                      href={at(props.place!, screen)}
                      icon={icon}
                      text={t(`screen.${screen}`)}
                      n={counts.value[screen] ?? 0}
                    />
                  ))}
                </Section>
              );
            })}
          <Section title={t('nav.house')}>
            {HOUSE_SCREENS.filter(({ needs }) => may(needs)).map(({ screen, icon }) => (
              <Entry key={screen} href={atHouse(screen)} icon={icon} text={t(`screen.${screen}`)} n={0} />
            ))}
            <li>
              <a class="nav" href={outside('/docs/guides')} target="_self">
                <Icon name="text" />
                {t('docs')}
              </a>
            </li>
          </Section>
          <Account />
        </nav>
        <main class="main" id="content" tabIndex={-1}>
          {props.children}
        </main>
      </div>
      <Palette place={props.place} />
      <Said />
    </>
  );
}

function Section(props: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <p class="nav-title" aria-hidden="true">
        {props.title}
      </p>
      <ul class="nav-list" aria-label={props.title}>
        {props.children}
      </ul>
    </>
  );
}

function Entry(props: { readonly href: string; readonly icon: IconName; readonly text: string; readonly n: number }) {
  const { path } = useLocation();
  const isHere = path === props.href || path.startsWith(`${props.href}/`);
  return (
    <li>
      <a class="nav" href={props.href} aria-current={isHere ? 'page' : undefined}>
        <Icon name={props.icon} />
        {props.text}
        {props.n > 0 && <span class="n">{number(props.n)}</span>}
      </a>
    </li>
  );
}

export function EnvBadge({ env }: { readonly env: Place['env'] }) {
  return <span class={`badge ${env === 'live' ? 'yes' : 'wait'}`}>{t(`env.${env}`)}</span>;
}

/** The site and environment that all screens of a site are about. */
function SiteChoice({ place }: { readonly place: Place }) {
  const { route, path } = useLocation();
  const screen = path.split(`/${place.site}/${place.env}/`)[1]?.split('/')[0] ?? 'overview';
  return (
    <div class="site">
      <b aria-hidden="true">{places.value.find(({ site }) => site === place.site)?.name}</b>
      <EnvBadge env={place.env} />
      <Icon name="chevron" />
      <select
        aria-label={t('site.choose')}
        value={`${place.site}/${place.env}`}
        onChange={({ currentTarget }) => {
          const [site, env] = currentTarget.value.split('/') as [string, Place['env']];
          route(at({ site, env }, screen as 'overview'));
        }}
      >
        {places.value.map(({ site, env, name }) => (
          <option key={`${site}/${env}`} value={`${site}/${env}`}>
            {name} · {t(`env.${env}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

function Account() {
  const { operator, roles, endsAt } = session.value!;
  const name = operator.name ?? operator.id;
  const role = [...new Set(roles.map((each) => each.role))].join(', ');
  return (
    <details class="who">
      <summary>
        <span class="face" aria-hidden="true">
          {initials(name)}
        </span>
        <span>
          <b>{name}</b>
          <br />
          <small>{role}</small>
        </span>
      </summary>
      {endsAt && <p class="small">{t('account.ends', { when: distance(endsAt) })}</p>}
      <LanguageChoice />
      <button type="button" class="btn" onClick={() => void signOut()}>
        {t('sign-out')}
      </button>
    </details>
  );
}

const initials = (name: string): string =>
  name
    .split(/[\s_-]+/)
    .map((part) => part.slice(0, 1).toUpperCase())
    .slice(0, 2)
    .join('');
