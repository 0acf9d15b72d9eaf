/** The baseline of exports: a node that only fetches and parses pages, one after the other. */
/* global exports -- n8n loads only .js files of a folder of its own. */
exports.PageLoop = class PageLoop {
  description = {
    displayName: 'Page Loop',
    name: 'pageLoop',
    group: ['input'],
    version: 1,
    description: 'Fetches and parses pages, and keeps none of them',
    defaults: { name: 'Page Loop' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      { displayName: 'URL', name: 'url', type: 'string', default: '' },
      { displayName: 'Pages', name: 'pages', type: 'number', default: 1 },
    ],
  };

  /** @this {import('n8n-workflow').IExecuteFunctions} */
  async execute() {
    const url = this.getNodeParameter('url', 0);
    const pages = Number(this.getNodeParameter('pages', 0));
    for (let page = 1; page <= pages; page += 1) {
      await this.helpers.httpRequest({ url: `${String(url)}&page=${String(page)}`, json: true });
    }
    return [[{ json: { pages } }]];
  }
};
