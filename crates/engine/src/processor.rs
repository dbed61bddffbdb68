//! Whether this processor has what the recogniser was built for. A process that finds out by itself
//! dies of an illegal instruction, in the middle of somebody's recording.

/// How the C++ was built, as the compiler of this program was told too.
const BUILT: Option<&str> = option_env!("TRANSCRIBE_CMAKE_ARGS");

/// The instructions that were asked for at the build and that are not here.
pub fn lacking() -> Vec<&'static str> {
    let here = here();
    let needed = needed(BUILT.unwrap_or_default());
    needed.into_iter().filter(|name| !here.contains(name)).collect()
}

/// Which instructions a build with these arguments uses. One for the machine that built it names
/// none, and is not judged.
fn needed(built: &str) -> Vec<&'static str> {
    let flags = [
        ("-DGGML_AVX=ON", "AVX"),
        ("-DGGML_AVX2=ON", "AVX2"),
        ("-DGGML_BMI2=ON", "BMI2"),
        ("-DGGML_FMA=ON", "FMA"),
        ("-DGGML_F16C=ON", "F16C"),
    ];
    let on = |flag: &str| built.split_whitespace().any(|word| word == flag);
    flags.into_iter().filter(|(flag, _)| on(flag)).map(|(_, name)| name).collect()
}

#[cfg(target_arch = "x86_64")]
fn here() -> Vec<&'static str> {
    let found = [
        (is_x86_feature_detected!("avx"), "AVX"),
        (is_x86_feature_detected!("avx2"), "AVX2"),
        (is_x86_feature_detected!("bmi2"), "BMI2"),
        (is_x86_feature_detected!("fma"), "FMA"),
        (is_x86_feature_detected!("f16c"), "F16C"),
    ];
    found.into_iter().filter(|(there, _)| *there).map(|(_, name)| name).collect()
}

/// The flags are for x86-64 only, and have no effect here.
#[cfg(not(target_arch = "x86_64"))]
fn here() -> Vec<&'static str> {
    needed(BUILT.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_says_what_it_needs() {
        assert_eq!(needed("-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=OFF"), ["AVX2"]);
        assert_eq!(needed("-DTRANSCRIBE_X86_CONSERVATIVE=ON"), [""; 0]);
        assert!(BUILT.is_some_and(|built| !built.is_empty()), "the build tells this program too");
        assert_eq!(lacking(), [""; 0], "these tests run the recogniser");
    }
}
