// Makes the wheel of assent_client: types and operations of the OpenAPI document, and the sources beside this file.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sdkDocument } from '../document.mjs';

const SOURCE = import.meta.dirname;
const INDENT = '    ';
/** Words of the language that a field or a parameter may have as its name. */
const KEYWORDS = `False None True and as assert async await break class continue def del elif else except finally for 
from global if import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/);

/**
 * Writes the package into `folder`, and packs. Needs Python 3.11. The same document and version make the same bytes.
 * @param {object} options
 * @param {object} options.document what `/openapi.json` answers
 * @param {string} options.folder an empty one
 * @param {string} options.to where the wheel goes
 * @param {string} options.version
 * @param {number} options.atS time of the files in the wheel, in seconds since 1970
 * @returns {string} path of the wheel
 */
export function makePython({ document, folder, to, version, atS }) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(SOURCE, 'assent_client'), join(folder, 'assent_client'), {
    recursive: true,
    filter: (path) => !path.includes('__pycache__'),
  });
  writeFileSync(join(folder, 'assent_client', 'operations.py'), operationsOf(sdkDocument(document)));
  const args = [join(SOURCE, 'wheel.py'), folder, join(SOURCE, 'README.md'), to, version, String(atS)];
  return execFileSync('python3', args, { encoding: 'utf8' }).trim();
}

/** The module of types and operations. */
function operationsOf({ paths, components }) {
  const types = Object.entries(components.schemas).map(([name, schema]) => declared(name, schema));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => methodOf(path, method.toUpperCase(), operation)),
  );
  return `"""Types and operations, made of the OpenAPI document of the service. Not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
from urllib.parse import quote

${types.join('\n\n')}


class Operations:
    """Every operation, each with the text of the reference of the service."""

    def _call(self, method: str, path: str, *, query: Any = None, body: Any = None, idempotency_key: str | None = None) -> Any:
        raise NotImplementedError

${operations.join('\n')}`;
}

function declared(name, schema) {
  if (schema.enum) return `${name}: TypeAlias = ${union(schema.enum)}`;
  if (!schema.properties) return `${name}: TypeAlias = ${typeOf(schema)}`;
  const { properties, required = [] } = schema;
  const fields = Object.entries(properties).map(([field, one]) => {
    const type = typeOf(one);
    return [field, required.includes(field) ? type : `NotRequired[${type}]`, one.description];
  });
  if (fields.every(([field]) => isName(field)))
    return [
      `\nclass ${name}(TypedDict):`,
      ...(fields.length === 0 ? [`${INDENT}pass`] : []),
      ...fields.flatMap(([field, type, text]) => [
        `${INDENT}${field}: ${type}`,
        ...(text ? [`${INDENT}"""${docText(text)}"""`] : []),
      ]),
    ].join('\n');
  // A name that is a word of the language, such as `from`.
  return `${name} = TypedDict(\n${INDENT}"${name}",\n${INDENT}{${fields.map(([field, type]) => `"${field}": "${type.replaceAll('"', "'")}"`).join(', ')}},\n)`;
}

const isName = (field) => /^[a-z_][a-z0-9_]*$/i.test(field) && !KEYWORDS.includes(field);
const union = (values) => `Literal[${values.map((one) => `"${one}"`).join(', ')}]`;

function typeOf(schema) {
  const type = bareType(schema);
  return schema.nullable && type !== 'Any' ? `${type} | None` : type;
}

function bareType({ $ref, allOf, type, items, additionalProperties }) {
  if ($ref) return $ref.split('/').at(-1);
  if (allOf) return bareType(allOf[0]);
  if (type === 'array') return `list[${typeOf(items ?? {})}]`;
  if (type === 'object') return `dict[str, ${typeOf(additionalProperties ?? {})}]`;
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[type] ?? 'Any';
}

function methodOf(path, method, { operationId, summary = '', description = '', parameters, requestBody, responses }) {
  const body = requestBody?.content['application/json'].schema;
  const [{ content }] = Object.values(responses);
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const hasKey = parameters.some((one) => one.in === 'header');
  const keywords = [
    ...inQuery.map((one) => {
      const type = one.schema.format === 'date-time' ? 'datetime | str' : typeOf(one.schema);
      return one.required ? `${argument(one)}: ${type}` : `${argument(one)}: ${type} | None = None`;
    }),
    ...(hasKey ? ['idempotency_key: str | None = None'] : []),
  ];
  const signature = [
    'self',
    ...inPath.map((one) => `${argument(one)}: ${typeOf(one.schema)}`),
    ...(body ? [`body: ${typeOf(body)}`] : []),
    ...(keywords.length > 0 ? ['*', ...keywords] : []),
  ];
  const place = inPath.reduce(
    (text, one) => text.replace(`{${one.name}}`, `{quote(str(${argument(one)}), safe='')}`),
    path,
  );
  const given = [
    `"${method}"`,
    inPath.length > 0 ? `f"${place}"` : `"${place}"`,
    ...(inQuery.length > 0 ? [`query={${inQuery.map((one) => `"${one.name}": ${argument(one)}`).join(', ')}}`] : []),
    ...(body ? ['body=body'] : []),
    ...(hasKey ? ['idempotency_key=idempotency_key'] : []),
  ];
  const described = [...inPath, ...inQuery].map((one) => `${argument(one)}: ${(one.description ?? '').trim()}`);
  const lines = [`${summary}.`, '', ...description.split('\n'), '', ...described].map(docText);
  const inset = `${INDENT}${INDENT}`;
  const text = lines.map((line) => (line === '' ? '' : `${inset}${line}`)).join('\n');
  const answer = typeOf(content['application/json'].schema);
  return `${INDENT}def ${snake(operationId)}(${signature.join(', ')}) -> ${answer}:
${inset}"""${text.trimStart()}
${inset}"""
${inset}return self._call(${given.join(', ')})  # type: ignore[no-any-return]
`;
}

/** The name of a parameter, as an argument. */
function argument({ name, 'x-originalName': other }) {
  const made = snake(other ?? name);
  return KEYWORDS.includes(made) ? `${made}_` : made;
}

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const docText = (text) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, "'");
