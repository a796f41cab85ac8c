import { ProxiedSignInPage } from '@backstage/core-components';
import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { SignInPageBlueprint } from '@backstage/plugin-app-react';

/** Everybody enters this example portal as the guest, without a click on the way to the page that a link names. */
export const signInModule = createFrontendModule({
  pluginId: 'app',
  extensions: [
    SignInPageBlueprint.make({
      params: {
        loader: async () => props => (
          <ProxiedSignInPage {...props} provider="guest" />
        ),
      },
    }),
  ],
});
