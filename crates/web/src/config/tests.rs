use super::*;

fn config(typed: &Typed<'_>, listening: &str) -> Config {
    Config::new(typed, listening.parse().unwrap()).unwrap()
}

#[track_caller]
fn check(config: &Config, hosts: &[(&str, bool)]) {
    for (host, ours) in hosts {
        assert_eq!(config.is_ours(host), *ours, "{host}");
    }
}

#[test]
fn on_loopback_only_loopback_with_the_port_is_ours() {
    let config = config(&Typed::default(), "127.0.0.1:8377");
    check(
        &config,
        &[
            ("127.0.0.1:8377", true),
            ("localhost:8377", true),
            ("LocalHost.:8377", true),
            ("[::1]:8377", true),
            ("localhost", false),
            ("localhost:80", false),
            ("localhost:8377.evil", false),
            ("localhost.evil:8377", false),
            ("evil", false),
            ("", false),
            (":8377", false),
            ("::1:8377", false),
            ("[localhost]:8377", false),
            ("user@localhost:8377", false),
            ("localhost:8377/", false),
        ],
    );
    assert!(config.metrics_open);
}

#[test]
fn public_names_and_further_ones_are_ours_with_the_port_they_have() {
    let typed = Typed {
        public_url: "https://Verst.example.org/",
        allowed_hosts: "verst:8377, other.example",
        ..Typed::default()
    };
    let config = config(&typed, "10.0.0.5:8377");
    check(
        &config,
        &[
            ("verst.example.org", true),
            ("verst.example.org:443", true),
            ("verst:8377", true),
            ("verst", false),
            ("other.example:81", true),
            ("10.0.0.5:8377", true),
            ("10.0.0.5", false),
            ("localhost:8377", false),
        ],
    );
    assert!(config.is_public_origin("https://verst.example.org"));
    assert!(!config.is_public_origin("http://verst.example.org"));
    assert!(!config.metrics_open);
}

#[test]
fn a_service_for_all_addresses_is_asked_by_this_machine_too() {
    let config = config(&Typed::default(), "0.0.0.0:8377");
    check(&config, &[("localhost:8377", true), ("0.0.0.0:8377", false), ("10.0.0.5:8377", false)]);
    assert!(!config.metrics_open);
}

#[test]
fn metrics_are_closed_where_others_come_through_a_proxy() {
    for (typed, open) in [
        (Typed::default(), true),
        (Typed { public_url: "https://verst.example.org", ..Typed::default() }, false),
        (Typed { allowed_hosts: "verst.example.org", ..Typed::default() }, false),
        (Typed { trusted_proxies: "127.0.0.1", ..Typed::default() }, false),
        (Typed { trusted_proxies: "::1", metrics_open: true, ..Typed::default() }, true),
    ] {
        assert_eq!(config(&typed, "127.0.0.1:8377").metrics_open, open, "{typed:?}");
    }
}

#[test]
fn an_address_of_ipv6_is_ours_however_it_is_written() {
    let typed = Typed { allowed_hosts: "[2001:DB8:0:0::5]:8377", ..Typed::default() };
    let config = config(&typed, "[::1]:8377");
    check(
        &config,
        &[
            ("[2001:db8::5]:8377", true),
            ("[2001:db8::5]", false),
            ("[0:0:0:0:0:0:0:1]:8377", true),
            ("[::2]:8377", false),
            ("[::1%25lo]:8377", false),
        ],
    );
}

#[test]
fn what_cannot_be_used_is_named() {
    let check = |typed: &Typed<'_>, error: ConfigError| {
        let found = Config::new(typed, "127.0.0.1:1".parse().unwrap()).err();
        assert_eq!(found, Some(error), "{typed:?}");
    };
    for public_url in ["verst.example.org", "ftp://a", "https://"] {
        check(&Typed { public_url, ..Typed::default() }, ConfigError::PublicUrl);
    }
    for allowed_hosts in ["a/b", "a:many", "[::1", "a:99999", "*"] {
        check(&Typed { allowed_hosts, ..Typed::default() }, ConfigError::AllowedHosts);
    }
    for trusted_proxies in ["proxy", "10.0.0.0/33", "1.2.3"] {
        check(&Typed { trusted_proxies, ..Typed::default() }, ConfigError::TrustedProxies);
    }
}

#[test]
fn proxies_are_trusted_by_address_and_network() {
    let typed = Typed { trusted_proxies: "10.0.0.0/8, ::1", ..Typed::default() };
    let config = config(&typed, "127.0.0.1:8377");
    for (address, trusted) in
        [("10.1.2.3", true), ("::1", true), ("11.0.0.1", false), ("127.0.0.1", false)]
    {
        assert_eq!(config.trusts(address.parse().unwrap()), trusted, "{address}");
    }
}
