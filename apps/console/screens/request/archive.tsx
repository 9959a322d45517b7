import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Button } from '../../parts/button.js';
import { ActDialog, TextField } from '../../parts/form.js';
import { ShownOnce } from '../../parts/once.js';
import { may, type Place } from '../../session.js';
import { moment } from '../../words.js';
import type { Request } from './allowed.js';
import { stepWords as t } from './words.js';

/** Hours that a link works unless an operator says otherwise. */
const USUAL_HOURS = 72;

/** Makes a link to the archive of a completed request. The service shows it once. */
export function ArchiveLink({ place, request }: { readonly place: Place; readonly request: Request }) {
  const [isAsking, setAsking] = useState(false);
  const [hours, setHours] = useState(String(USUAL_HOURS));
  const [link, setLink] = useState<components['schemas']['ArchiveLink'] | null>(null);
  const act = useAct(async (once, expiresInHours: number) =>
    setLink(
      await answered(
        api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/archive-link', {
          params: { path: { ...place, id: request.id } },
          body: { expiresInHours },
          ...once,
        }),
      ),
    ),
  );
  if (request.effect?.kind !== 'ARCHIVE' || !may('linkSiteArchive', place)) return null;
  return (
    <>
      <Button look="main" onPress={() => setAsking(true)}>
        {t('archive')}
      </Button>
      <ActDialog
        title={t('archive.title')}
        lead={t('archive.lead')}
        submit={t('archive.submit')}
        isOpen={isAsking}
        act={{ ...act, run: () => act.run(Number(hours)) }}
        onClose={() => setAsking(false)}
      >
        <TextField
          name="expiresInHours"
          label={t('archive.hours')}
          type="number"
          min="1"
          value={hours}
          onInput={setHours}
          isRequired
          problem={act.problem}
        />
      </ActDialog>
      <ShownOnce
        title={t('archive.title')}
        label={t('archive.fetch')}
        text={link?.url ?? null}
        onClose={() => setLink(null)}
      >
        {link && t('archive.made', { when: moment(link.expiresAt) })}
      </ShownOnce>
    </>
  );
}
