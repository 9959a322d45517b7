import http from 'node:http';
import { freePort } from './free-port.js';
import { startInstallation } from './installation.js';

test('a port is given once in a run, whether or not somebody listens on it', async () => {
  const ports: number[] = [];
  for (let i = 0; i < 700; i++) ports.push(await freePort());
  expect(new Set(ports).size).toBe(ports.length);
});

test('whoever took the port of a service that was down is not taken for the service', async () => {
  const installation = await startInstallation();
  const other = http.createServer((_, response) => response.end('{}'));
  try {
    await installation.kill9();
    await new Promise<void>((resolve) => other.listen(Number(new URL(installation.url).port), '127.0.0.1', resolve));
    await expect(installation.restart()).rejects.toThrow('is taken by another program');
    await new Promise((resolve) => other.close(resolve));
    await installation.restart();
    expect((await fetch(`${installation.url}/readyz`)).status).toBe(200);
  } finally {
    other.closeAllConnections();
    other.close();
    await installation.stop();
  }
});
