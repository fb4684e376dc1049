import { expect, it } from '@jest/globals';
import { templateChoices } from './template-choices.ts';

it('Choices of templates have the key of those whose name another one has', () => {
  const templates = [
    { id: '1', name: 'Deploy', key: 'deploy' },
    { id: '2', name: 'Standup', key: 'standup' },
    { id: '3', name: 'Deploy', key: 'deploy-2' },
  ];
  expect(templateChoices(templates)).toEqual([
    ['1', 'Deploy (deploy)'],
    ['2', 'Standup'],
    ['3', 'Deploy (deploy-2)'],
  ]);
});
