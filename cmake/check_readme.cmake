# Fails if the README does not show tests/readme/example.cpp to the letter.
file(READ ${ROOT}/README.md readme)
file(READ ${ROOT}/tests/readme/example.cpp example)
string(FIND "${readme}" "${example}" position)
if(position EQUAL -1)
    message(SEND_ERROR "README.md shows another program than tests/readme/example.cpp")
endif()
