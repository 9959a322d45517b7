import { templateInForce, templateView, type Catalogue, type TemplateView } from '../../catalogue/index.js';
import { ArchiveNames } from '../../data-requests/index.js';
import type { PortalPlace } from './place.js';

/** What the pages call things of a site, in the language of the reader where the catalogue has it. */
export interface SiteNames {
  template: TemplateView;
  names: ArchiveNames;
}

export function siteNames(catalogue: Catalogue, { scope, at, language, wishes }: PortalPlace): SiteNames {
  const known = catalogue.of(scope);
  return {
    template: templateView(templateInForce(known, at), wishes),
    names: new ArchiveNames(known, at, language, wishes),
  };
}
