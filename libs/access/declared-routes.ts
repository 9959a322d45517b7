import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { OPERATION } from '../http/contract/operation.js';
import { TWINS_AT, type OperationDeclaration } from '../context/operations.js';
import type { OperationTable } from './operation-table.js';

/** A handler, as its controller declares it. */
interface Route {
  /** `GET /v1/subjects/{ref}`, as in the operation table. */
  address: string;
  /** The id in its @Operation. */
  operation: string | undefined;
}

/**
 * Handlers of an application that the operation table lacks, or has under another method or path; empty when all is well.
 * The guard refuses such handlers; this finds them before the first call.
 */
export const undeclaredRoutes = (modules: ModulesContainer, table: OperationTable): string[] =>
  routesOf(modules).flatMap((route) => faultOf(route, table) ?? []);

/**
 * Serves the twins of operations: puts the controllers of their handlers under the paths for operators too. To be called
 * before the routes are made. The guard refuses what else a controller declares there.
 */
export function serveTwins(modules: ModulesContainer, table: OperationTable): void {
  for (const controller of controllersOf(modules)) {
    const paths = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[] | undefined].flat();
    const [path = ''] = paths;
    if (paths.length > 1 || !routesOfController(controller).some((route) => twinOf(route, table))) continue;
    const forOperators = path.replace(/^v1\b/, TWINS_AT.slice(1).replace(/\{(\w+)\}/g, ':$1'));
    Reflect.defineMetadata(PATH_METADATA, [path, forOperators], controller);
  }
}

const twinOf = ({ operation: id }: Route, table: OperationTable): OperationDeclaration | undefined => {
  const operation = table.of(id);
  return operation && table.ofSite(operation);
};

/** Ids of operations in the table that no handler of an application answers. */
export function unservedOperations(modules: ModulesContainer, table: OperationTable): string[] {
  const served = new Set(routesOf(modules).map(({ operation }) => operation));
  return table.all.filter(({ id, twinOf: of }) => !served.has(of ?? id)).map(({ id }) => id);
}

function routesOf(modules: ModulesContainer): Route[] {
  return controllersOf(modules).flatMap(routesOfController);
}

const controllersOf = (modules: ModulesContainer): (new () => object)[] =>
  [...modules.values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as new () => object),
  );

function routesOfController(controller: new () => object): Route[] {
  // The first is the one that the controller itself declares.
  const [prefix = ''] = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[] | undefined].flat();
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (typeof handler !== 'function') return [];
    const paths = Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined;
    const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    // Nest puts the path of the class on the constructor, without a method.
    if (paths === undefined || verb === undefined) return [];
    const operation = Reflect.getMetadata(OPERATION, handler) as string | undefined;
    return [paths].flat().map((path) => ({ address: `${RequestMethod[verb]} ${fullPath(prefix, path)}`, operation }));
  });
}

/** The path as in the table: `:ref` is `{ref}`, and so is `*ref`, the rest of a path. */
const fullPath = (prefix: string, path: string): string =>
  `/${[...prefix.split('/'), ...path.split('/')].filter(Boolean).join('/')}`.replace(/[:*](\w+)/g, '{$1}');

function faultOf({ address, operation: id }: Route, table: OperationTable): string | null {
  const operation = table.of(id);
  if (!operation) return `${address}: ${id === undefined ? 'has no @Operation' : `the table has no operation ${id}`}`;
  const declared = `${operation.method} ${operation.path}`;
  return declared === address ? null : `${address}: the table says ${declared}`;
}
