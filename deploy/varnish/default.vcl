# The cache in front of the nodes, for /etc/varnish/default.vcl. Tested with Varnish 7.1 by test/cluster/domains.servers.test.ts.
# Change the node. For TLS, put nginx, Caddy or hitch in front of Varnish, with the host as the client sent it. On every node, set
#   BASE_URL to the URL that clients use, such as https://changelog.example.com;
#   TRUSTED_PROXIES to the addresses of Varnish and of the proxies in front of it, so that each client is counted separately.
vcl 4.1;

backend default {
  .host = "127.0.0.1";
  .port = "3001";
  .connect_timeout = 1s;
  .first_byte_timeout = 3s;
}

sub vcl_recv {
  # A product's domain serves at / what the instance's own host serves elsewhere, so the host is part of the cache key
  # (vcl_hash). The port is not part of the name. The built-in VCL makes the host lower case.
  set req.http.Host = regsub(req.http.Host, ":\d*$", "");

  # No response depends on cookies, and ids and traces are not for clients to choose.
  unset req.http.Cookie;
  unset req.http.X-Request-Id;
  unset req.http.traceparent;

  # Nothing that was requested with credentials is cached. The built-in VCL knows Authorization only.
  if (req.http.Authorization || req.http.Proxy-Authorization || req.http.X-API-Key) {
    return (pass);
  }

  # The built-in VCL would connect the client to a node for a method that it does not know. The node would then read from the
  # client itself, and take its X-Forwarded-For for that of Varnish.
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
}

sub vcl_hash {
  hash_data(req.http.Host);
  hash_data(req.url);
  return (lookup);
}

sub vcl_backend_response {
  # Cache only what a node marks as public, for as long as its max-age says. Errors are no-store, and with the gate on
  # everything is private.
  if (beresp.http.Cache-Control !~ "^public") {
    set beresp.uncacheable = true;
    set beresp.ttl = 30s;
    return (deliver);
  }

  # Nothing is served after max-age.
  set beresp.grace = 0s;
}

sub vcl_deliver {
  # They belong to the client whose request filled the cache.
  if (obj.hits > 0) {
    unset resp.http.RateLimit;
    unset resp.http.X-Request-Id;
  }
}

# While no node is up.
sub vcl_backend_error {
  set beresp.status = 503;
  set beresp.http.Content-Type = "application/json; charset=utf-8";
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.Retry-After = "2";
  set beresp.body = """{"error":{"code":"unavailable","message":"The service cannot respond right now. Try again in a moment."}}""";
  return (deliver);
}
