import type { DocumentFile } from '../files/document-file.js';
import type { Cookie, CookiesDefinition } from './definition.js';
import { CookiesFileDto, type CookieFileDto } from './dto.js';

/** `cookies.yaml`. */
export const COOKIES_FILE: DocumentFile<CookiesDefinition, CookiesFileDto> = {
  contract: CookiesFileDto,
  about: 'The list of cookies, and of all else that is kept on devices.',
  definitionOf: ({ defaultLocale, cookies }) => ({ defaultLocale, cookies: cookies.map(cookieOf) }),
  fileOf: ({ defaultLocale, cookies }) => ({ defaultLocale, cookies: cookies.map(cookieFile) }),
};

const durationBy = (maxAgeSeconds: number | null): Cookie['duration'] =>
  maxAgeSeconds === null ? 'SESSION' : 'PERSISTENT';

function cookieOf(file: CookieFileDto): Cookie {
  const { name, match = 'EXACT', technology = 'COOKIE', domain = null, path = '/', party = 'FIRST' } = file;
  const { category, purposeKeys, vendor = null, maxAgeSeconds = null, description } = file;
  const duration = file.duration ?? durationBy(maxAgeSeconds);
  return {
    name,
    match,
    technology,
    domain,
    ...(path !== '/' && { path }),
    party,
    category,
    purposeKeys,
    vendor,
    duration,
    maxAgeSeconds,
    description,
  };
}

function cookieFile(cookie: Cookie): CookieFileDto {
  const { name, match, technology, domain, path, party, category, purposeKeys, vendor, duration, maxAgeSeconds } =
    cookie;
  return {
    name,
    ...(match !== 'EXACT' && { match }),
    ...(technology !== 'COOKIE' && { technology }),
    ...(domain !== null && { domain }),
    ...(path !== undefined && { path }),
    ...(party !== 'FIRST' && { party }),
    category,
    purposeKeys: [...purposeKeys],
    ...(vendor !== null && { vendor }),
    ...(duration !== durationBy(maxAgeSeconds) && { duration }),
    ...(maxAgeSeconds !== null && { maxAgeSeconds }),
    description: cookie.description,
  };
}
