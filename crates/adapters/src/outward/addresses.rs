//! Which addresses are of the public Internet, by the registries of IANA for special purposes:
//! <https://www.iana.org/assignments/iana-ipv4-special-registry> and its twin for IPv6.
//!
//! **Invariant:** what is not known to be public is not. In IPv6 only `2000::/3` is looked at at
//! all, so mapped addresses, local ones and whatever is assigned some day stay outside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Ranges of IPv4 that are not public, each with the length of its prefix.
const RESERVED_V4: [(Ipv4Addr, u32); 16] = [
    // This network.
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    // Behind a provider's translation.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local; the keys of cloud machines are handed out there.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    // Documentation.
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    // Relays of 6to4.
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    // Measurements.
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast.
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    // Reserved, with the broadcast.
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::BROADCAST, 32),
];

/// Global unicast.
const GLOBAL: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Ranges inside of it that are not public.
const RESERVED_V6: [(Ipv6Addr, u32); 4] = [
    // Protocols, among them Teredo, which carries IPv4 addresses.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // Documentation.
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4, which carries IPv4 addresses.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    // Documentation.
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether an address is of the public Internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !RESERVED_V4.iter().any(|range| inside_v4(address, *range)),
        IpAddr::V6(address) => {
            inside_v6(address, GLOBAL)
                && !RESERVED_V6.iter().any(|range| inside_v6(address, *range))
        }
    }
}

fn inside_v4(address: Ipv4Addr, (net, prefix): (Ipv4Addr, u32)) -> bool {
    (address.to_bits() ^ net.to_bits()) >> (32 - prefix) == 0
}

fn inside_v6(address: Ipv6Addr, (net, prefix): (Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ net.to_bits()) >> (128 - prefix) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(addresses: &[&str], public: bool) {
        for address in addresses {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    #[test]
    fn what_belongs_to_no_public_network_is_known() {
        check(&["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255"], false);
        check(&["100.64.0.0", "100.127.255.255", "127.0.0.1", "127.9.9.9"], false);
        check(&["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1"], false);
        check(&["192.0.0.8", "192.0.2.7", "192.88.99.1", "198.18.0.1", "198.19.255.255"], false);
        check(&["198.51.100.1", "203.0.113.255", "224.0.0.1", "239.255.255.250"], false);
        check(&["240.0.0.1", "255.255.255.255"], false);
    }

    #[test]
    fn the_neighbours_of_those_ranges_are_public() {
        check(&["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"], true);
        check(&["126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0"], true);
        check(&["172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255"], true);
        check(&["198.17.255.255", "198.20.0.0", "203.0.112.255", "223.255.255.255"], true);
    }

    #[test]
    fn in_the_newer_protocol_only_global_addresses_are_public() {
        check(&["2606:4700::1111", "2a00:1450:4010::65", "2001:4860:4860::8888"], true);
        check(&["2001:200::1", "2400::1", "3ffe::1"], true);
        check(&["::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1"], false);
        check(&["2001:db8::1", "3fff:fff::1", "2001:2::1", "2001:10::1", "100::1"], false);
    }

    #[test]
    fn an_address_inside_an_address_is_not_public() {
        // Mapped, compatible, translated (both prefixes), 6to4, Teredo.
        check(&["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1"], false);
        check(&["64:ff9b::10.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::7f00:1"], false);
        check(&["2002:7f00:1::1", "2002:808:808::1", "2001:0:7f00:1::1"], false);
    }
}
