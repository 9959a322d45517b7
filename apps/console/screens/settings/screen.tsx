import { answered, api } from '../../api/client.js';
import { Problem } from '../../api/problem.js';
import { useResource } from '../../api/resource.js';
import type { ScreenProps } from '../../app.js';
import { frameWords } from '../../frame/words.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { BrandCard } from './brand.js';
import { Evidence, Frameworks, Languages, Pages, Service } from './site.js';
import { settingWords as t } from './words.js';

export default function Settings({ place }: ScreenProps) {
  const { site } = place;
  const settings = useResource(async () => {
    const { data } = await answered(api.GET('/admin/v1/sites', { params: { query: { limit: 200 } } }));
    const found = data.find((each) => each.site === site);
    if (!found) throw Problem.of(404, {});
    return found;
  }, [site]);
  const brand = useResource(
    () => answered(api.GET('/admin/v1/sites/{site}/brand', { params: { path: { site } } })),
    [site],
  );
  return (
    <Page title={frameWords('screen.settings')} lead={t('lead')}>
      <Loaded of={settings}>
        {(of) => (
          <div class="stack">
            <Loaded of={brand}>
              {(shown) => <BrandCard of={shown} site={of} place={place} onChange={() => void brand.reload()} />}
            </Loaded>
            <div class="grid settings">
              <Pages of={of} place={place} />
              <Languages of={of} />
              <Evidence of={of} />
              <Frameworks of={of} />
              <Service of={of} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
