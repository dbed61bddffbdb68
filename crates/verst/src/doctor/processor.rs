//! Whether the recogniser that is built in suits the processor that is here. It is C++ with the
//! instructions it was built for: where one of them is missing its process ends at the first use.

use super::look::{Look, State};
use crate::tongue::Tongue;
use verst_words::Arg;

/// What the recogniser was built with; see `.cargo/config.toml`.
const BUILT: Option<&str> = option_env!("TRANSCRIBE_CMAKE_ARGS");

/// More of a description than any processor gives.
const LONGEST_NAME: usize = 100;

/// An instruction set: how the build asks for it, how people know it, whether it is here.
struct Set {
    asked: &'static str,
    name: &'static str,
    here: bool,
}

pub(super) fn look(tongue: &Tongue) -> Look {
    let described = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    judge(BUILT.unwrap_or_default(), &name(&described), cores, &sets(), tongue)
}

fn judge(built: &str, name: &str, cores: usize, sets: &[Set], tongue: &Tongue) -> Look {
    let asked = |set: &&Set| built.contains(&format!("-DGGML_{}=ON", set.asked));
    let list =
        |names: Vec<&str>| if names.is_empty() { "–".to_owned() } else { names.join(", ") };
    let lacks: Vec<&str> = sets.iter().filter(asked).filter(|s| !s.here).map(|s| s.name).collect();
    let here = list(sets.iter().filter(|s| s.here).map(|s| s.name).collect());
    let cores = Arg::Int(i64::try_from(cores).unwrap_or(i64::MAX));
    let lacking = list(lacks.clone());
    let args = [
        ("name", Arg::Text(name)),
        ("cores", cores),
        ("here", Arg::Text(&here)),
        ("lacks", Arg::Text(&lacking)),
    ];
    let (state, key) = if !lacks.is_empty() {
        (State::Bad, "doctor-processor-lacks")
    } else if built.contains("-DGGML_NATIVE=ON") {
        (State::Ok, "doctor-processor-native")
    } else if sets.iter().any(|set| set.name == "AVX-512" && set.here && !asked(&set)) {
        (State::Ok, "doctor-processor-more")
    } else {
        (State::Ok, "doctor-processor-suits")
    };
    Look::new("doctor-processor", state, tongue.say(key, &args))
}

/// Its name as the kernel gives it; that of the architecture where it gives none.
fn name(described: &str) -> String {
    let named = described.lines().find_map(|line| line.strip_prefix("model name"));
    let named = named.map(|rest| rest.trim_start_matches([' ', '\t', ':']).trim());
    let name = named.filter(|name| !name.is_empty()).unwrap_or(std::env::consts::ARCH);
    name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect()
}

#[cfg(target_arch = "x86_64")]
fn sets() -> Vec<Set> {
    let set = |asked, name, here| Set { asked, name, here };
    vec![
        set("SSE42", "SSE4.2", is_x86_feature_detected!("sse4.2")),
        set("AVX", "AVX", is_x86_feature_detected!("avx")),
        set("AVX2", "AVX2", is_x86_feature_detected!("avx2")),
        set("BMI2", "BMI2", is_x86_feature_detected!("bmi2")),
        set("FMA", "FMA", is_x86_feature_detected!("fma")),
        set("F16C", "F16C", is_x86_feature_detected!("f16c")),
        set("AVX512", "AVX-512", is_x86_feature_detected!("avx512f")),
    ]
}
#[cfg(not(target_arch = "x86_64"))]
fn sets() -> Vec<Set> {
    // The options of the build are those of x86-64; elsewhere it takes what every processor has.
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_build_asks_for_and_the_processor_lacks_is_named() {
        let tongue = Tongue::new(Some("en"));
        let portable = "-DGGML_NATIVE=OFF -DGGML_AVX=ON -DGGML_AVX2=ON";
        let judged = |built: &str, avx2, avx512| {
            let set = |asked, name, here| Set { asked, name, here };
            let sets = [
                set("AVX", "AVX", true),
                set("AVX2", "AVX2", avx2),
                set("AVX512", "AVX-512", avx512),
            ];
            let look = judge(built, "Some CPU", 2, &sets, &tongue);
            (look.state, told(&look, &tongue))
        };
        let (state, text) = judged(portable, false, false);
        assert_eq!(state, State::Bad);
        assert!(text.contains("lacks AVX2") && text.contains("GGML_NATIVE=ON"), "{text}");
        for (built, avx2, avx512) in
            [(portable, true, false), ("", false, false), ("-DGGML_NATIVE=ON", true, true)]
        {
            let (state, text) = judged(built, avx2, avx512);
            assert_eq!(state, State::Ok, "{text}");
            assert!(text.contains("Some CPU") && !text.contains("built without"), "{text}");
        }
        let (state, text) = judged(portable, true, true);
        assert_eq!(state, State::Ok);
        assert!(text.contains("built without"), "{text}");
    }

    fn told(look: &Look, tongue: &Tongue) -> String {
        super::super::look::told(std::slice::from_ref(look), tongue)
    }

    #[test]
    fn a_processor_has_a_name_or_at_least_an_architecture() {
        assert_eq!(name("processor : 0\nmodel name\t: AMD EPYC \n"), "AMD EPYC");
        for nameless in ["", "processor : 0\nBogoMIPS : 50\n", "model name\t:\n"] {
            assert_eq!(name(nameless), std::env::consts::ARCH);
        }
        assert_eq!(name(&format!("model name: {}", "x".repeat(5000))).len(), LONGEST_NAME);
    }

    #[test]
    fn this_build_says_what_it_was_built_with() {
        assert!(BUILT.is_some_and(|built| built.contains("-DGGML_NATIVE=")), "{BUILT:?}");
    }
}
