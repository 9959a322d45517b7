/** The site and environment that a command is about. */
export interface Place {
  site: string;
  env: string;
}

export const placePath = ({ site, env }: Place): string => `/admin/v1/sites/${encodeURIComponent(site)}/${env}`;

export const endpointPath = (place: Place, id: string): string =>
  `${placePath(place)}/webhook-endpoints/${encodeURIComponent(id)}`;
