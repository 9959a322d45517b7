import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { OPERATION } from '../platform/http/operation.js';
import { operationOf } from './operations.js';

/**
 * Every handler of an application that is not in the operation table, or stands under another method or path than the
 * table says; empty when all is well. The guard refuses such handlers; this finds them before somebody calls one.
 */
export function undeclaredRoutes(modules: ModulesContainer): string[] {
  const faults: string[] = [];
  for (const module of modules.values()) {
    for (const { metatype } of module.controllers.values()) {
      const prefix = String(Reflect.getMetadata(PATH_METADATA, metatype as object) ?? '');
      for (const name of Object.getOwnPropertyNames((metatype as { prototype: object }).prototype)) {
        const handler = (metatype as { prototype: Record<string, unknown> }).prototype[name];
        const path =
          typeof handler === 'function'
            ? (Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined)
            : undefined;
        const verb =
          path === undefined
            ? undefined
            : (Reflect.getMetadata(METHOD_METADATA, handler as object) as RequestMethod | undefined);
        // The constructor carries the path of its class, but no method.
        if (path === undefined || verb === undefined) continue;
        for (const each of [path].flat()) {
          const fault = faultOf(
            `${RequestMethod[verb]} ${fullPath(prefix, each)}`,
            Reflect.getMetadata(OPERATION, handler as object) as string | undefined,
          );
          if (fault) faults.push(fault);
        }
      }
    }
  }
  return faults;
}

/** As the table writes it: `:ref` is `{ref}`. */
const fullPath = (prefix: string, path: string): string =>
  `/${[...prefix.split('/'), ...path.split('/')].filter(Boolean).join('/')}`.replace(/:(\w+)/g, '{$1}');

function faultOf(route: string, id: string | undefined): string | null {
  const operation = operationOf(id);
  if (!operation) return `${route}: ${id === undefined ? 'has no @Operation' : `the table has no operation ${id}`}`;
  const declared = `${operation.method} ${operation.path}`;
  return declared === route ? null : `${route}: the table says ${declared}`;
}
