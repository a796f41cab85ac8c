import { renderInTestApp } from '@backstage/frontend-test-utils';
import { Form } from '@backstage/plugin-scaffolder-react/alpha';
import validator from '@rjsf/validator-ajv8';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { useState } from 'react';
import { argocdFleetApiRef } from '../api';
import {
  createFakeBackend,
  failure,
  type Answer,
} from '../__testUtils__/fakeBackend';
import { ApplicationSetPicker } from './ApplicationSetPicker';
import { APPLICATION_SET_FIELD } from './target';

// It places the lists of options, by the styles of all elements around them: jsdom has no layout.
jest.mock(
  'popper.js',
  () =>
    class {
      destroy() {}
      update() {}
    },
);

/** Of one identity: with others, React would make the field anew. */
const FIELDS = { [APPLICATION_SET_FIELD]: ApplicationSetPicker as never };

/** The field in the scaffolder's own form. */
function renderField(answer: Answer, schema?: object) {
  let value: { set?: string } = {};
  function TestForm() {
    const [data, setData] = useState<{ set?: string }>({});
    value = data;
    return (
      <Form
        validator={validator}
        fields={FIELDS}
        schema={{
          type: 'object',
          required: ['set'],
          properties: {
            set: {
              type: 'string',
              title: 'From',
              description: 'What staging runs',
              ...schema,
            },
          },
        }}
        uiSchema={{ set: { 'ui:field': APPLICATION_SET_FIELD } }}
        formData={data}
        onChange={({ formData }) => setData(formData)}
        liveValidate={Boolean(schema)}
        showErrorList={false}
      />
    );
  }
  const { container } = renderInTestApp(<TestForm />, {
    apis: [[argocdFleetApiRef, createFakeBackend(answer).api]],
  });
  return { container, set: () => value.set };
}

const list = (...names: string[]): Answer => ({
  status: 200,
  body: {
    hubs: [],
    items: names.map(name => ({
      ref: { hub: 'east', namespace: 'argocd', name },
      sources: [
        {
          repoURL: 'https://github.com/retail/shop.git',
          path: `overlays/${name}`,
          targetRevision: 'main',
        },
      ],
    })),
  },
});

describe('the field for an ApplicationSet', () => {
  it('offers the ApplicationSets with their sources', async () => {
    const { container, set } = renderField(list('staging', 'production'));
    const input = await screen.findByLabelText(/^From/);
    expect(input).toBeRequired();
    expect(screen.getByText('What staging runs')).toBeVisible();
    await userEvent.click(input);
    expect(
      (await screen.findAllByRole('option')).map(it => it.textContent),
    ).toEqual([
      'east:argocd/stagingshop / overlays/staging @ main',
      'east:argocd/productionshop / overlays/production @ main',
    ]);
    await userEvent.type(input, 'prod');
    await userEvent.click(await screen.findByRole('option'));
    expect(set()).toBe('east:argocd/production');
    expect((await axe(container)).violations).toEqual([]);
  });

  it('shows the first hundred of many, and all that match what is typed', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `set-${index}x`);
    renderField(list(...names));
    const input = await screen.findByLabelText(/^From/);
    await userEvent.click(input);
    expect(await screen.findAllByRole('option')).toHaveLength(100);
    await userEvent.type(input, 'set-29');
    expect(
      (await screen.findAllByRole('option')).map(
        it => it.textContent?.split('shop')[0],
      ),
    ).toEqual(
      names
        .filter(name => name.includes('set-29'))
        .map(name => `east:argocd/${name}`),
    );
  });

  it('says why nothing is offered', async () => {
    renderField(failure(500, 'Error', 'The hub is away'));
    expect(await screen.findByText('The hub is away')).toBeVisible();
  });

  it('takes a typed name, and shows what is wrong with it', async () => {
    const { set } = renderField(list(), { pattern: ':' });
    const input = await screen.findByLabelText(/^From/);
    await userEvent.type(input, 'a');
    expect(await screen.findByText(/must match pattern/)).toBeVisible();
    await userEvent.type(input, ':b/c');
    await waitFor(() => expect(set()).toBe('a:b/c'));
  });
});
