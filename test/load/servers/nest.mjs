// A bare Nest route without guards, on Nest's own Express adapter ("plain") or on ours ("fast").
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastExpressAdapter } from '../../../dist/libs/http/fast-express.adapter.js';

process.once('disconnect', () => process.exit());

class Bare {
  live() {
    return { status: 'live' };
  }
}
Get('live')(Bare.prototype, 'live', Object.getOwnPropertyDescriptor(Bare.prototype, 'live'));
Controller()(Bare);

class BareModule {}
Module({ controllers: [Bare] })(BareModule);

const adapter = process.argv[2] === 'fast' ? new FastExpressAdapter() : new ExpressAdapter();
const app = await NestFactory.create(BareModule, adapter, { logger: false, bodyParser: false });
await app.listen(0, '127.0.0.1');
process.send({ port: app.getHttpServer().address().port });
