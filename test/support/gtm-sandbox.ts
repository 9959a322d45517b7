/*
 * An imitation of the sandbox of Google Tag Manager, for one custom template: it runs the code of a `.tpl` with the sandboxed
 * interfaces that it asks for, and refuses what the permissions of the file do not allow.
 */

interface Typed {
  type: number;
  string?: string;
  boolean?: boolean;
  listItem?: Typed[];
  mapKey?: Typed[];
  mapValue?: Typed[];
}
interface Permission {
  instance: { key: { publicId: string }; param: { key: string; value: Typed }[] };
}
export interface Template {
  info: { type: string; containerContexts: string[] };
  parameters: { name: string; valueValidators?: { type: string; args: string[] }[] }[];
  code: string;
  permissions: Permission[];
}

/** The sections of a `.tpl`. Throws where one is missing or is not as Tag Manager reads it. */
export function readTemplate(text: string): Template {
  const parts = text.split(/^___([A-Z_]+)___$/m).slice(1);
  const sections = new Map(parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1]!.trim()] as const] : [])));
  const section = (name: string): string => {
    const found = sections.get(name);
    if (found === undefined) throw new Error(`The template has no ${name}.`);
    return found;
  };
  return {
    info: JSON.parse(section('INFO')) as Template['info'],
    parameters: JSON.parse(section('TEMPLATE_PARAMETERS')) as Template['parameters'],
    code: section('SANDBOXED_JS_FOR_WEB_TEMPLATE'),
    permissions: JSON.parse(section('WEB_PERMISSIONS')) as Permission[],
  };
}

const plain = ({ string, boolean, listItem, mapKey, mapValue }: Typed): unknown =>
  listItem
    ? listItem.map(plain)
    : mapKey
      ? Object.fromEntries(mapKey.map((key, i) => [plain(key), plain(mapValue![i]!)]))
      : (string ?? boolean);

const allowedIn = <T>({ permissions }: Template, id: string, name: string): T[] =>
  permissions
    .filter(({ instance }) => instance.key.publicId === id)
    .flatMap(({ instance }) => instance.param.filter(({ key }) => key === name))
    .flatMap(({ value }) => plain(value) as T[]);

const matches = (pattern: string, url: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.?+^$()[\]{}|\\/]/g, '\\$&'))
      .join('.*')}$`,
  ).test(url);

/** What a template did, in its order. */
export type Done = ['default', Record<string, unknown>] | ['script', string] | ['success'] | ['failure'];

/** Runs a template with what its fields say. Scripts load at once. Throws where it does what it may not. */
export function runTemplate(template: Template, fields: Readonly<Record<string, string>>): Done[] {
  const done: Done[] = [];
  const may = (isAllowed: boolean, what: string): void => {
    if (!isAllowed) throw new Error(`The template has no permission: ${what}`);
  };
  const types = allowedIn<{ consentType: string; write: boolean }>(template, 'access_consent', 'consentTypes');
  const scripts = allowedIn<string>(template, 'inject_script', 'urls');
  const interfaces: Readonly<Record<string, unknown>> = {
    encodeUriComponent: encodeURIComponent,
    setDefaultConsentState: (state: Record<string, unknown>) => {
      for (const name of Object.keys(state))
        if (name !== 'wait_for_update' && name !== 'region')
          may(
            types.some(({ consentType, write }) => consentType === name && write),
            `write ${name}`,
          );
      done.push(['default', state]);
    },
    injectScript: (url: string, success?: () => void) => {
      may(url.startsWith('https://') && scripts.some((pattern) => matches(pattern, url)), `inject ${url}`);
      done.push(['script', url]);
      success?.();
    },
  };
  const asked = (name: string): unknown => {
    if (!(name in interfaces)) throw new Error(`The sandbox has no ${name}.`);
    return interfaces[name];
  };
  const data = { ...fields, gtmOnSuccess: () => done.push(['success']), gtmOnFailure: () => done.push(['failure']) };
  // The sandbox has nothing of a page.
  const hidden = ['window', 'document', 'globalThis', 'self', 'fetch', 'process', 'setTimeout'];
  new Function('require', 'data', ...hidden, `'use strict';\n${template.code}`)(asked, data);
  return done;
}
