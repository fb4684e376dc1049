import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@stanza/contracts';
import { serviceModules, servicesOf } from './service-modules.ts';

describe('the list of services of a process', () => {
  it('names every service as "all"', () => {
    expect(servicesOf('all')).toEqual(serviceNames);
  });

  it('names some, once each and in the order in which they call each other', () => {
    expect(servicesOf(' gateway, compile,compile')).toEqual(['compile', 'gateway']);
  });

  it('is refused where it is empty or names an unknown service, and the error lists the services', () => {
    expect(() => servicesOf('')).toThrow('STANZA_SERVICES is required.');
    expect(() => servicesOf('gateway,mailer')).toThrow('STANZA_SERVICES: mailer is no service.');
  });

  it('leads to the service of each name', async () => {
    for (const name of serviceNames) expect((await serviceModules[name]()).service.name).toBe(name);
  });
});
