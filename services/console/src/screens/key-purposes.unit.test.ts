import { describe, expect, it } from '@jest/globals';
import * as contracts from '@stanza/contracts';
import { purposes, usualScopes } from './key-purposes.ts';

const sends = [
  contracts.sendTemplate,
  contracts.sendBulk,
  contracts.updateMessage,
  contracts.deleteMessage,
  contracts.compileTemplate,
  contracts.createScheduledMessage,
  contracts.cancelScheduledMessage,
];

const operationsOf: Readonly<Record<string, readonly contracts.HttpOperation[]>> = {
  'Send messages': sends,
  'Send messages, and see what became of them': [
    ...sends,
    contracts.getMessage,
    contracts.listMessages,
    contracts.streamMessages,
  ],
  'Push events to queues': [contracts.pushEvents],
  'Keep templates as files, from a pipeline': [
    contracts.listTemplates,
    contracts.createTemplate,
    contracts.updateTemplate,
    contracts.appendTemplateVersion,
    contracts.activateTemplateVersion,
    contracts.archiveTemplate,
    contracts.listPartials,
    contracts.createPartial,
    contracts.listEntities,
    contracts.createEntity,
    contracts.updateEntity,
    contracts.listSampleData,
    contracts.createSampleData,
    contracts.updateSampleData,
    contracts.listModals,
    contracts.createModal,
    contracts.updateModal,
    contracts.validateTemplate,
    contracts.previewTemplate,
  ],
  'Read alone': contracts.httpOperations.filter((operation) =>
    contracts.requiredScopes(operation).some((scope) => scope.endsWith(':read')),
  ),
};

describe('the purposes that are offered for a key', () => {
  it.each(purposes)('take the scopes that their operations require, and no others: %s', (purpose, scopes) => {
    const required = (operationsOf[purpose] ?? []).flatMap((operation) =>
      contracts.requiredScopes(operation),
    );
    expect([...scopes].sort()).toEqual([...new Set(required)].sort());
  });

  it('each purpose of a key is compared with its operations', () => {
    expect(purposes.map(([purpose]) => purpose)).toEqual(Object.keys(operationsOf));
  });

  it('the first purpose of a key is a sender that may read nothing', () => {
    expect([...usualScopes]).toEqual(['messages:create']);
  });
});
