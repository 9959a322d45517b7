export interface Scope {
  site: string;
  env: string;
}

export const catalogueOf = ({ site, env }: Scope): string =>
  `/admin/v1/sites/${encodeURIComponent(site)}/${encodeURIComponent(env)}/catalogue`;
