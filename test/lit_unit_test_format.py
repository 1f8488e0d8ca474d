"""Lit format of the unit tests: one test for each executable that the build lists. A source file
`*_test.c` without an executable is a test that fails, so that none is forgotten."""
import os

import lit.formats
import lit.Test
import lit.TestRunner
import lit.util


class UnitTestFormat(lit.formats.TestFormat):
    def __init__(self, list_file):
        with open(list_file) as lines:
            paths = [line.strip() for line in lines if line.strip()]
        self.executables = {os.path.basename(path): path for path in paths}

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        folder = suite.getSourcePath(path_in_suite)
        sources = {name[:-2] for name in os.listdir(folder) if name.endswith("_test.c")}
        for name in sorted(sources | set(self.executables)):
            yield lit.Test.Test(suite, path_in_suite + (name,), local_config)

    def execute(self, test, lit_config):
        name = test.path_in_suite[-1]
        if name not in self.executables:
            return lit.Test.FAIL, f"{name}.c is no registered unit test (test/unit/CMakeLists.txt)"
        command = [self.executables[name]]
        try:
            out, err, code = lit.util.executeCommand(
                command, env=test.config.environment, timeout=lit_config.maxIndividualTestTime
            )
        except lit.util.ExecuteCommandTimeoutException as e:
            return lit.Test.TIMEOUT, f"{e.out}\n{e.err}"
        except OSError as e:
            return lit.Test.FAIL, str(e)
        if code:
            return lit.Test.FAIL, f"{command[0]}\nexit status {code}\n{out}\n{err}"
        return lit.Test.PASS, ""
