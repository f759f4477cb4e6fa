# Keeps responses for a day and more, until the hook purge-varnish purges them (docs/cdn.md). It adds to default.vcl: put both
# in /etc/varnish, install varnish-modules, and start varnishd with -f /etc/varnish/purged.vcl. Tested with Varnish 7.1 and
# varnish-modules 0.20 by test/cluster/cdn.servers.slow.test.ts. On every node, set
#   BASE_URL and TRUSTED_PROXIES as default.vcl says;
#   CDN_MAX_AGE_SECONDS to the lifetime;
#   HOOKS to a file with the hook.
vcl 4.1;

import std;
import xkey;

# The nodes, which send the purges.
acl changelog_purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    # Varnish adds the address of its client to X-Forwarded-For. If there are several, the request came through a proxy, and
    # its client is somebody else. With a secret in the hook, also require req.http.Authorization == "Bearer SECRET".
    if (client.ip !~ changelog_purgers || req.http.X-Forwarded-For ~ ",") {
      return (synth(405));
    }
    if (!req.http.xkey-purge) {
      return (synth(400, "xkey-purge is missing"));
    }
    return (synth(200, "Purged " + xkey.purge(req.http.xkey-purge)));
  }
}

sub vcl_backend_response {
  if (beresp.http.CDN-Cache-Control ~ "max-age=\d") {
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=(\d+).*$", "\1s"), 0s);
    set beresp.http.xkey = beresp.http.Surrogate-Key;
  } elsif (beresp.http.Surrogate-Key) {
    # It may be older than a write that was purged already.
    set beresp.uncacheable = true;
    set beresp.ttl = 1s;
    return (deliver);
  }
  # What has no tags does not depend on content. Varnish keeps it for its max-age.
}

sub vcl_deliver {
  # Clients keep a response for max-age after they get it, however long Varnish had it.
  if (resp.http.CDN-Cache-Control) {
    unset resp.http.Age;
  }

  # For Varnish alone. If another cache with purges is in front of it, remove these lines but the last.
  unset resp.http.CDN-Cache-Control;
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  unset resp.http.xkey;
}

include "default.vcl";
