import { useEffect, useState } from 'preact/hooks';
import type { components } from '../../../api/schema.js';
import { answered, api } from '../../../api/client.js';
import { Badge } from '../../../parts/badge.js';
import { may, type Place } from '../../../session.js';
import { languageName, number } from '../../../words.js';
import type { Shown, TimelineItem } from '../person.js';
import { code, t } from './words.js';

type Text = { readonly name?: string; readonly description?: string; readonly legalText?: string };
type Display = components['schemas']['Display'];

/** Texts by place and hash: a text under a hash never changes. */
const texts = new Map<string, Promise<Text | null>>();

function textBehind(place: Place, hash: string): Promise<Text | null> {
  const key = `${place.site} ${place.env} ${hash}`;
  const known = texts.get(key);
  if (known) return known;
  const asked = answered(
    api.GET('/admin/v1/sites/{site}/{env}/notices/{hash}', { params: { path: { ...place, hash } } }),
  ).then(
    ({ content }) => (content['text'] ?? null) as Text | null,
    () => {
      texts.delete(key);
      return null;
    },
  );
  texts.set(key, asked);
  return asked;
}

/** The words that stood on the screen, and how they were displayed. */
export function WasShown({ item, place }: Shown & { readonly item: TimelineItem }) {
  const { notice, presentation, record, preference } = item;
  const display = (record ?? preference)?.collection?.display;
  const [text, setText] = useState<Text | null>(null);
  useEffect(() => {
    if (!notice || !may('getSiteNotice', place)) return;
    let isThere = true;
    void textBehind(place, notice.contentHash).then((found) => isThere && setText(found));
    return () => (isThere = false);
  }, [notice?.contentHash]);
  if (!text && !presentation && !display) return null;
  return (
    <div class="shown">
      {text && (
        <details>
          <summary lang={notice?.locale}>
            <b>{text.name}.</b> {text.description}
          </summary>
          {text.legalText && <p lang={notice?.locale}>{text.legalText}</p>}
          {notice && (
            <p class="small">
              {t('shown.text', { language: languageName(notice.locale) })}{' '}
              <code>{notice.contentHash.slice(0, 19)}…</code>
            </p>
          )}
        </details>
      )}
      {presentation && (
        <p class="small">
          {t('shown.banner', {
            version: number(presentation.banner.version),
            language: languageName(presentation.banner.locale),
            rule: presentation.policy.id,
          })}
        </p>
      )}
      {display && <Checks of={display} />}
    </div>
  );
}

/** What the banner measured of itself before the decision was made. */
function Checks({ of: { checks } }: { readonly of: Display }) {
  const failed = checks.filter(({ passed }) => !passed);
  const told = (failed.length > 0 ? failed : checks).map(({ check, measured }) => {
    const what = code('check.', check);
    return check === 'NOTHING_TICKED' || check === 'LANGUAGE' ? what : `${what} (${measured})`;
  });
  return (
    <p class="small">
      {failed.length > 0 && <Badge tone="no">{t('shown.failed', { n: failed.length })}</Badge>} {told.join(', ')}.{' '}
      {t('shown.checked')}
    </p>
  );
}
