/*
 * Node.js loads this file before n8n itself. It leads every HTTPS request of n8n to the recorder of
 * outside.ts, as a proxy would, but without certificates.
 */
const http = require('node:http');
const https = require('node:https');
const { urlToHttpOptions } = require('node:url');

https.request = (/** @type {any[]} */ ...args) => {
  const [first, second] = args;
  const isAddress = typeof first === 'string' || first instanceof URL;
  const given = {
    ...(isAddress ? urlToHttpOptions(new URL(first)) : first),
    ...(isAddress && typeof second === 'object' ? second : {}),
  };
  const { method, path, timeout, signal } = given;
  const headers = { ...given.headers, 'X-Outside-Host': given.hostname ?? given.host };
  const port = process.env['OUTSIDE_PORT'];
  const options = { host: '127.0.0.1', port, method, path, headers, timeout, signal };
  return http.request(
    options,
    args.find((one) => typeof one === 'function'),
  );
};
https.get = (/** @type {any[]} */ ...args) => {
  const request = Reflect.apply(https.request, https, args);
  request.end();
  return request;
};
