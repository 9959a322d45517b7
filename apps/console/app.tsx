import { useEffect } from 'preact/hooks';
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import type { FunctionComponent } from 'preact';
import { ABOUT, ROOT } from './about.js';
import { at } from './addresses.js';
import { Shell } from './frame/shell.js';
import { SignIn } from './frame/sign-in.js';
import { frameWords as t } from './frame/words.js';
import { Page } from './parts/page.js';
import { Empty, Loading, Trouble } from './parts/states.js';
import { askWhoIsSignedIn, places, signed, type Environment, type Place } from './session.js';
import { language } from './words.js';

/** What a screen is given: where it is, and the id in its address. */
export interface ScreenProps {
  readonly place: Place;
  readonly id: string;
}
type Screen = FunctionComponent<ScreenProps>;

/** The screens of a site, each loaded when it is opened. `:id` is an id of the service. */
const SITE_SCREENS: readonly (readonly [path: string, screen: Screen])[] = [
  ['overview', lazy(() => import('./screens/overview/screen.js'))],
  ['people', lazy(() => import('./screens/people/screen.js'))],
  ['people/:id', lazy(() => import('./screens/person/screen.js'))],
  ['requests', lazy(() => import('./screens/requests/screen.js'))],
  ['requests/:id', lazy(() => import('./screens/request/screen.js'))],
  ['purposes', lazy(() => import('./screens/purposes/screen.js'))],
  ['purposes/:id', lazy(() => import('./screens/purpose/screen.js'))],
  ['banner', lazy(() => import('./screens/banner/screen.js'))],
  ['statistics', lazy(() => import('./screens/statistics/screen.js'))],
  ['webhooks', lazy(() => import('./screens/webhooks/screen.js'))],
  ['webhooks/:id', lazy(() => import('./screens/webhook/screen.js'))],
  ['keys', lazy(() => import('./screens/keys/screen.js'))],
  ['settings', lazy(() => import('./screens/settings/screen.js'))],
  ['proof', lazy(() => import('./screens/proof/screen.js'))],
];

const HOUSE_SCREENS: readonly (readonly [path: string, screen: FunctionComponent])[] = [
  ['system', lazy(() => import('./screens/system/screen.js'))],
  ['operators', lazy(() => import('./screens/operators/screen.js'))],
  ['journal', lazy(() => import('./screens/journal/screen.js'))],
];

export function App() {
  useEffect(() => {
    if (ABOUT.isSignedIn) void askWhoIsSignedIn();
    else signed.value = { state: 'out', isOver: false };
  }, []);
  useEffect(() => {
    document.documentElement.lang = language.value;
  }, [language.value]);
  const who = signed.value;
  if (who.state === 'asking') return <Loading />;
  if (who.state === 'unreachable') return <Trouble problem={who.problem} onAgain={() => void askWhoIsSignedIn()} />;
  if (who.state === 'out') return <SignIn isOver={who.isOver} />;
  return (
    <LocationProvider scope={ROOT}>
      <ErrorBoundary>
        <Screens />
      </ErrorBoundary>
    </LocationProvider>
  );
}

const LAST_PLACE = 'assent-console-place';

/** The place of an address; where the address has none, the one that was looked at last, or the first. */
function placeOf(path: string): Place | null {
  const [site, env] = path.slice(ROOT.length + 1).split('/');
  const known = places.value.find((each) => each.site === site && each.env === (env as Environment));
  const last = places.value.find((each) => `${each.site}/${each.env}` === sessionStorage.getItem(LAST_PLACE));
  const place = known ?? last ?? places.value[0] ?? null;
  if (known) sessionStorage.setItem(LAST_PLACE, `${known.site}/${known.env}`);
  return place && { site: place.site, env: place.env };
}

function Screens() {
  const { path } = useLocation();
  const place = placeOf(path);
  return (
    <Shell place={place}>
      <Router>
        <Route path={ROOT} component={() => <Start place={place} />} />
        {HOUSE_SCREENS.map(([name, screen]) => (
          <Route key={name} path={`${ROOT}/${name}`} component={screen} />
        ))}
        {SITE_SCREENS.map(([name, screen]) => (
          <Route key={name} path={`${ROOT}/:site/:env/${name}`} component={AtPlace} screen={screen} />
        ))}
        <Route default component={Missing} />
      </Router>
    </Shell>
  );
}

/** A screen of a site, begun anew at another place or id. */
function AtPlace(props: {
  readonly screen: Screen;
  readonly site?: string;
  readonly env?: string;
  readonly id?: string;
}) {
  const { site = '', env = '', id = '' } = props;
  const found = places.value.find((each) => each.site === site && each.env === (env as Environment));
  if (!found) return <Missing />;
  const { screen: Drawn } = props;
  return <Drawn key={`${site}/${env}/${id}`} place={{ site: found.site, env: found.env }} id={id} />;
}

/** `/console`: to the overview of the site that was looked at last. */
function Start({ place }: { readonly place: Place | null }) {
  const { route } = useLocation();
  useEffect(() => {
    if (place) route(at(place, 'overview'), true);
  }, []);
  if (place) return <Loading />;
  return <Empty title={t('site.none')}>{t('site.none.why')}</Empty>;
}

function Missing() {
  return (
    <Page title={t('missing.screen')}>
      <Empty icon="search" title={t('trouble.missing')} />
    </Page>
  );
}
