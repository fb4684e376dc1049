import { describe, expect, it } from '@jest/globals';
import { eventSchemasFile, eventsPage } from '../openapi/event-schemas.ts';
import { anyPublicEvent, emittedEvent, publicEvents, publicEventTypes } from './catalogue.ts';

const envelope = {
  id: '01938c2e-7b1a-7c3d-9e4f-0000a1b2c3d4',
  created_at: '2026-11-21T08:30:00.000Z',
  organization_id: '01938c2e-7b1a-7c3d-9e4f-00004d1f9a02',
  environment: 'production',
};

describe('the declared events', () => {
  it('have a type each, of a subject and what became of it', () => {
    expect(new Set(publicEventTypes).size).toBe(publicEvents.length);
    for (const type of publicEventTypes) expect(type).toMatch(/^[a-z]+\.[a-z]+$/);
  });

  it.each(publicEvents.map((it) => [it.type, it] as const))('%s has an example that it takes', (type, it) => {
    const event = { ...envelope, type, data: it.example };
    expect(anyPublicEvent.parse(event)).toEqual(event);
    expect(it.schema.parse(event)).toEqual(event);
  });

  it.each(publicEvents.map((it) => [it.type, it] as const))('%s names its subject by a field', (_, it) => {
    expect({ ...envelope, ...it.example }).toHaveProperty(it.subject);
  });

  it('Events of services other than delivery are handed to it', () => {
    for (const { type, origin, example } of publicEvents) {
      const { id: subject, ...rest } = envelope;
      const parsed = emittedEvent.safeParse({ ...rest, subject, type, data: example });
      expect(parsed.success).toBe(origin !== 'delivery');
    }
  });

  it.each(publicEvents.map((it) => [it.type, it] as const))('%s shows each field of its data', (type, it) => {
    const [, section = ''] = eventsPage().split(`## \`${type}\`\n`);
    const [table = ''] = section.split('```json');
    for (const field of Object.keys(it.schema.shape.data.shape)) expect(table).toContain(`| \`${field}\` |`);
  });

  it('have a section of the page and a schema each', () => {
    const schemas = JSON.parse(eventSchemasFile());
    for (const { type, schemaName } of publicEvents) {
      expect(eventsPage()).toContain(`## \`${type}\``);
      expect(schemas.$defs).toHaveProperty(schemaName);
    }
    expect(JSON.stringify(schemas)).not.toContain('#/components');
  });
});
