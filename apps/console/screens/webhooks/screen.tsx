import type { ScreenProps } from '../../app.js';
import { frameWords as t } from '../../frame/words.js';
import { Page } from '../../parts/page.js';
import { Loading } from '../../parts/states.js';

export default function Screen(_: ScreenProps) {
  return (
    <Page title={t('screen.overview')}>
      <Loading />
    </Page>
  );
}
