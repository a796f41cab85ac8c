import { readFileLocation } from './fileLocation';

describe('the location of a catalog file', () => {
  it.each([
    [
      'https://github.com/retail/shop/blob/main/docs/blob/catalog-info.yaml',
      'https://github.com/retail/shop.git',
      'docs/blob/catalog-info.yaml',
    ],
    [
      'https://github.com/retail/shop/tree/main/catalog-info.yaml',
      'https://github.com/retail/shop.git',
      'catalog-info.yaml',
    ],
    [
      'https://gitlab.example.com/git/a/b/shop/-/blob/main/x/y.yaml?ref_type=heads',
      'https://gitlab.example.com/git/a/b/shop.git',
      'x/y.yaml',
    ],
    [
      'http://127.0.0.1:17007/retail/shop/src/branch/main/catalog-info.yaml',
      'http://127.0.0.1:17007/retail/shop.git',
      'catalog-info.yaml',
    ],
    [
      'https://bitbucket.org/acme/shop/src/main/catalog-info.yaml',
      'https://bitbucket.org/acme/shop.git',
      'catalog-info.yaml',
    ],
  ])('is read from %s', (url, cloneUrl, path) => {
    expect(readFileLocation(`url:${url}`)).toEqual({
      ...{ cloneUrl, path, branch: 'main' },
    });
  });

  it.each([
    undefined,
    'file:./catalog-info.yaml',
    'url:https://example.com/catalog-info.yaml',
    'url:https://github.com/retail/shop/blob/main',
    'url:https://github.com/retail/shop/blob//x.yaml',
    'url:ftp://github.com/retail/shop/blob/main/x.yaml',
  ])('is none in %s', location => {
    expect(readFileLocation(location)).toBeUndefined();
  });
});
